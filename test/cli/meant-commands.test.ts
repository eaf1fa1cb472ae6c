/** Lines that are nearly right are answered with the one that is meant, and lines that are right in another order work. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { projectUserRoutes } from '../../src/contract/projects/projects.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url }));
beforeAll(async () => {
  daemon = await startDaemon();
  const login = ['login', '--email', administrator.email, '--password-stdin'];
  await cli.run(login, { input: administrator.password });
  for (const user of ['ann', 'bob']) await cli.json(['participants', 'create', user]);
  await cli.json(['battle-passes', 'create', 'Winter']);
  await cli.json(['gatherings', 'create', '--name', 'Raid']);
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

describe('a line that is nearly right', () => {
  it.each([
    [['participants', 'erase', 'ann'], 'earshot participants delete'],
    [['audit', 'list', '--action', 'rules*'], '--action createRule'],
    [['battle-passes', 'unlock', 'Winter', 'ann'], '`earshot battle-passes unlock ann Winter`'],
    [
      ['webhooks', 'create', 'https://a.example/', '--events', 'sanction.created', 'case.created'],
      'sanction.created,case.created',
    ],
    [['webhooks', 'create', '--events', 'sanction.created', 'case.created'], 'sanction.created,case.created'],
  ])('%j', async (line, meant) => {
    const { stderr } = await cli.run(line);
    expect(stderr).toContain(meant);
  });

  it('gameplay apply takes the file as its argument', async () => {
    const file = join(cli.config, 'season.yaml');
    writeFileSync(file, (await cli.run(['gameplay', 'export'])).stdout);
    expect((await cli.run(['gameplay', 'apply', file, '--dry-run'])).code).toBe(0);
  });

  it('gatherings take several people, and show them without JSON', async () => {
    const added = await cli.run(['gatherings', 'add', 'Raid', 'ann', 'bob', 'nobody']);
    expect(added).toMatchObject({ code: 4, stderr: expect.stringContaining('nobody') });
    const { stdout } = await cli.run(['gatherings', 'get', 'Raid']);
    expect(stdout).toMatch(/Members\n[\s\S]*ann[\s\S]*bob/);
    expect(stdout).not.toContain('{"');
  });
});

describe('people and keys of the past', () => {
  it('are known to questions about the past', async () => {
    const invited = await cli.json<{ invitationUrl: string; permissionId: string }>([
      ...['users', 'invite', 'mod@example.com', '--role', 'moderator'],
    ]);
    const token = new URL(invited.invitationUrl).hash.replace('#token=', '');
    const body = { token, password: 'a long password of the moderator', displayName: 'Mod' };
    await daemon.client.call(accountRoutes.acceptInvitation, { body });
    const mod = commandLine(() => ({ EARSHOT_URL: daemon.url }));
    const login = ['login', '--email', 'mod@example.com', '--password-stdin'];
    expect((await mod.run(login, { input: body.password })).code).toBe(0);
    const banned = await mod.run(['ban', 'ann']);
    expect(banned).toMatchObject({ code: 0 });
    const replaced = await mod.run(['ban', 'ann', '1d', '--replace']);
    expect(replaced.stderr).toMatch(/temp_ban until .*\(in 1d\)/);
    const [, id = ''] = /To undo: earshot sanctions undo (\S+)/.exec(replaced.stderr) ?? [];
    expect((await mod.run(['sanctions', 'undo', id])).stderr).toMatch(/In force again: perm_ban/);
    mod.dispose();
    await daemon.admin.call(projectUserRoutes.remove, {
      params: { projectId: daemon.projectId },
      body: { permissionId: invited.permissionId },
    });
    for (const question of [
      ['sanctions', 'list', '--by', 'mod@example.com'],
      ['sanctions', 'list', '--moderator', 'mod@example.com'],
      ['sanctions', 'batches', '--moderator', 'mod@example.com'],
      ['reviews', 'list', '--moderator', 'mod@example.com'],
      ['cases', 'list', '--moderator', 'mod@example.com'],
      ['audit', 'list', '--actor', 'mod@example.com'],
    ])
      expect(await cli.run(question), question.join(' ')).toMatchObject({ code: 0 });
    expect((await cli.run(['sanctions', 'list', '--by', 'mod@example.com'])).stdout).toContain('perm_ban');
    const undo = ['sanctions', 'undo', '--by', 'mod@example.com', '--since', '8h'];
    expect((await cli.run([...undo, '--dry-run'])).stdout).toMatch(/revoked +1/);
    expect((await cli.run(undo)).stderr).toContain('1 sanctions are revoked');
    expect((await cli.run([...undo, '--yes'])).code).toBe(0);
    const params = { projectId: daemon.projectId, externalUserId: 'ann' };
    expect(await daemon.client.call(sanctionRoutes.activeOfUser, { params })).toEqual([]);
    for (const flags of [[], ['--yes']])
      expect(await cli.run([...undo, ...flags, '--json']), flags.join()).toMatchObject({
        ...{ code: 4, stderr: expect.stringContaining('"code":"nothing_to_undo"') },
      });
  });
});

it('an API key is a bearer token too', async () => {
  const headers = { Authorization: `Bearer ${daemon.apiKey}` };
  const response = await fetch(`${daemon.url}/api/projects/${daemon.projectId}/sanctions`, { headers });
  expect(response.status).toBe(200);
});
