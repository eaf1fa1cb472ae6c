/** The commands of projects, of the people in them, and of room tokens. */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App, ProjectUser } from '../../src/contract/projects/projects.js';
import type { GenerateTokenResponse } from '../../src/contract/rooms/tokens.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
const { run, json, dispose } = commandLine(() => ({ EARSHOT_URL: daemon.url }));
/** The new teammate, at another desk. */
const ann = commandLine();
beforeAll(async () => {
  daemon = await startDaemon();
  const { code } = await run(['login', '--email', administrator.email, '--password-stdin'], {
    input: administrator.password,
  });
  expect(code).toBe(0);
});
afterAll(async () => {
  await daemon.stop();
  dispose();
  ann.dispose();
});

describe('projects', () => {
  it('are made, listed, renamed and deleted', async () => {
    const made = await json<App>(['projects', 'create', `Space Game ${randomUUID()}`]);
    expect(made).toMatchObject({ role: 'owner', isConfigured: false });
    const renamed = await run(['projects', 'update', made.id, '--name', 'Space Game 2']);
    expect(renamed).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^name +Space Game 2$/m) });
    expect((await run(['projects', 'list'])).stdout).toMatch(
      new RegExp(
        `^NAME +ROLE +IS CONFIGURED +CREATED AT +ID\\n(.*\\n)*Space Game 2 +owner +false +\\S+ +${made.id}$`,
        'm',
      ),
    );
    const deleted = await run(['projects', 'delete', made.id, '--yes']);
    expect(deleted).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('is deleted') });
    expect((await json<App[]>(['projects', 'list'])).map(({ name }) => name)).toEqual(['default']);
    expect((await run(['projects', 'update', made.id, '--name', 'Gone'])).code).toBe(5);
  });

  it('are not deleted where there is nobody to ask', async () => {
    const { code, stderr } = await run(['projects', 'delete', daemon.projectId]);
    expect(code).toBe(2);
    expect(stderr).toContain('--yes');
    expect(await json<App[]>(['projects', 'list'])).toHaveLength(1);
  });

  it('are named where there are several, and the only one is understood', async () => {
    expect((await run(['users', 'list'])).code).toBe(0);
    const { id } = await json<App>(['projects', 'create', `Second ${randomUUID()}`]);
    const { code, stderr } = await run(['users', 'list']);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`\\n {2}Second \\S+ {2}${id}\\n`));
    expect((await run(['users', 'list'], { env: { EARSHOT_PROJECT: id } })).code).toBe(0);
    await run(['projects', 'delete', id, '--yes']);
  });
});

describe('users', () => {
  let email = '';
  const people = () => json<ProjectUser[]>(['users', 'list']);

  it('are invited, accept with the link at their own desk, and are listed', async () => {
    email = `ann.${randomUUID()}@example.com`;
    const invited = await json<{ invitationUrl: string }>(['users', 'invite', '--email', email]);
    const accepted = await ann.run(['users', 'accept', '--display-name', 'Ann', '--stdin'], {
      input: `${invited.invitationUrl}\na password of ann\n`,
    });
    const refused = await ann.run(['users', 'accept', invited.invitationUrl]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--stdin') });
    expect(refused.stderr).not.toContain('token=');
    expect(accepted).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(`as ${email}`) });
    expect(await ann.json(['whoami'])).toMatchObject({ displayName: 'Ann', role: 'member' });
    expect((await run(['users', 'list'])).stdout).toMatch(new RegExp(`${email} +viewer +accepted`));
  });

  it('change their role, by e-mail address or permission id', async () => {
    const found = (await people()).find((one) => one.email === email);
    expect(await json(['users', 'change-role', email.toUpperCase(), '--role', 'moderator'])).toMatchObject({
      ...found,
      role: 'moderator',
    });
    const shown = await run(['users', 'change-role', found?.permissionId ?? '', '--role', 'admin']);
    expect(shown.stdout).toMatch(new RegExp(`^email +${email}\nrole +admin\nstatus +accepted\npermissionId`));
    expect((await run(['users', 'change-role', email, 'moderator'])).stdout).toMatch(/^role +moderator$/m);
    for (const line of [[email], [email, 'viewer', '--role', 'admin']])
      expect(await run(['users', 'change-role', ...line])).toMatchObject({
        code: 2,
        stderr: 'Write ROLE, or --role ROLE.\n',
      });
  });

  it('are invited many at once; a refused address stops no other', async () => {
    const of = (name: string) => `${name}.${randomUUID()}@example.com`;
    const [bob, cid, dan, eve] = [of('bob'), of('cid'), of('dan'), of('eve')];
    const typed = await run(['users', 'invite', bob, 'nobody', cid, '--role', 'moderator']);
    expect(typed.code).toBe(2);
    expect(typed.stderr).toMatch(/^nobody: .*email/);
    const link = 'http\\S+/invitation#token=\\S+';
    expect(typed.stdout).toMatch(new RegExp(`^${bob} +moderator +${link}\n${cid} +moderator +${link}\n$`));
    const again = await run(['users', 'invite', bob, dan]);
    expect([again.code, again.stderr]).toEqual([5, expect.stringMatching(`^${bob}: `)]);
    const input = `${eve}, admin\n\n${of('fay')} viewer\n${of('gus')}\n`;
    const fromFile = await run(['users', 'invite', '-f', '-', '--role', 'moderator', '--json'], { input });
    const roles = JSON.parse(fromFile.stdout).map(({ role }: ProjectUser) => role);
    expect([fromFile.code, roles]).toEqual([0, ['admin', 'viewer', 'moderator']]);
    for (const misspelt of [
      '[{"email":"eve@example.com","rol":"admin"}]',
      'name,email,rol\nEve,eve@example.com,admin\n',
    ])
      expect(await run(['users', 'invite', '-f', '-'], { input: misspelt }), misspelt).toMatchObject({
        ...{ code: 2, stdout: '', stderr: expect.stringMatching(/rol: no such (field|column);.* Did you mean role\?/) },
      });
    expect(await run(['users', 'invite'])).toMatchObject({ code: 2, stderr: expect.stringContaining('-f FILE') });
    expect(await run(['users', 'invite', '-f', '/nowhere'])).toMatchObject({
      code: 2,
      stderr: 'The file /nowhere cannot be read: there is no such file.\n',
    });
    for (const one of await people()) if (one.status === 'pending') await run(['users', 'remove', one.email]);
  });

  it('do not act above their role, and are told what would let them', async () => {
    const { code, stderr } = await ann.run(['users', 'remove', administrator.email]);
    expect(code).toBe(5);
    expect(stderr).toContain('needs the role admin in the project; yours is moderator');
    const last = await run(['users', 'change-role', administrator.email, '--role', 'viewer']);
    expect(last).toMatchObject({ code: 5, stderr: expect.stringContaining('at least one owner') });
  });

  it('are removed, and lose the project with it', async () => {
    expect((await ann.run(['users', 'list'])).code).toBe(0);
    const { permissionId = '' } = (await people()).find((one) => one.email === email) ?? {};
    expect(await json(['users', 'remove', email])).toEqual({ permissionId, removed: true, made: [] });
    expect(await people()).toHaveLength(1);
    expect(await ann.run(['users', 'list'])).toMatchObject({ code: 4, stderr: 'You have no project.\n' });
    expect(await run(['users', 'remove', email])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('`earshot users list` shows the existing ones'),
    });
  });
});

describe('tokens', () => {
  const asked = ['tokens', 'create', '--room-id', 'demo', '--user-id', 'u_42'];

  it('are made for a room, with what is said of the person', async () => {
    const more = ['--display-name', 'Ann', '--user-data', '{"team":"red"}', '--permissions', '{"publish":false}'];
    const { token, provider, roomId } = await json<GenerateTokenResponse>([...asked, ...more]);
    expect({ provider, roomId }).toEqual({ provider: 'embedded', roomId: 'demo' });
    expect(decodeJwt(token)).toMatchObject({
      ...{ sub: 'u_42', project: daemon.projectId, room: 'demo', name: 'Ann' },
      ...{ userData: { team: 'red' }, publish: false, subscribe: true },
    });
  });

  it('are printed whole, on a terminal too, where times read as people say them', async () => {
    const onTerminal = await run(asked, { isTerminal: true });
    const [, token = ''] = /^token +(\S+)$/m.exec(onTerminal.stdout) ?? [];
    expect(decodeJwt(token)).toMatchObject({ room: 'demo' });
    expect(onTerminal.stdout).toMatch(/^expiresAt +in \d+\w+$/m);
    expect((await run(asked)).stdout).toMatch(/^expiresAt +\d{4}-\d\d-\d\dT\S+Z$/m);
  });

  it('need to know the room', async () => {
    expect(await run(asked.slice(0, 2))).toMatchObject({ code: 2, stderr: expect.stringContaining('room') });
  });
});
