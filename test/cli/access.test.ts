/** The commands of who somebody is: profiles, login, logout, password, keys. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine } from '../../src/cli/why/doctor.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import type { RequiredScope } from '../../src/contract/scopes.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';

const { run, json, config, dispose } = commandLine();
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.stop();
  dispose();
});
const login = (...more: string[]) =>
  run(['login', '--email', administrator.email, '--password-stdin', ...more], { input: administrator.password });
/** The token that the file of profiles holds. */
const loginOf = (name: string): string =>
  JSON.parse(readFileSync(join(config, 'earshot', 'profiles.json'), 'utf8')).profiles[name].token;

describe('a key where only people may act', () => {
  const env = () => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey });

  it('is refused with the command that signs a person in', async () => {
    const { code, stderr } = await run(['api-keys', 'list'], { env: env() });
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(`unset it and type \`earshot login --url ${daemon.url}\``),
    ]);
  });

  it('is refused under earshotd exec with the login of its administrator', async () => {
    const { stderr } = await run(['api-keys', 'list'], { env: { ...env(), EARSHOT_ADMIN_PASSWORD: 'given' } });
    expect(stderr).toContain(
      `echo "$EARSHOT_ADMIN_PASSWORD" | earshot login --url ${daemon.url} --email "$EARSHOT_ADMIN_EMAIL" --password-stdin`,
    );
    expect(stderr).not.toContain('given');
  });
});

describe('a key of one project', () => {
  const keyOf = async (scopes: RequiredScope[], limits: { projectId?: string } = {}) => {
    const { key } = await daemon.admin.call(apiKeyRoutes.create, { body: { name: 'narrow', scopes, ...limits } });
    return { EARSHOT_URL: daemon.url, EARSHOT_API_KEY: key };
  };
  const ofOne = (scopes: RequiredScope[]) => keyOf(scopes, { projectId: daemon.projectId });

  it.each<[RequiredScope, string]>([
    ['events', 'listen --expect sanction.created --count 0 --within 0 -- true'],
    ['sanctions', 'sanctions active'],
    ['gameplay', 'challenges list'],
    ['participants:read', 'participants list'],
  ])('with the scope %s acts in it without being told which', async (scope, command) => {
    const { code, stderr } = await run(command.split(' '), { env: await ofOne([scope]) });
    expect(code, stderr).toBe(0);
  });

  it('says what it is', async () => {
    const env = await ofOne(['events']);
    expect(await json(['whoami'], { env })).toMatchObject({
      ...{ name: 'narrow', scopes: ['events'], projectId: daemon.projectId },
    });
  });

  it('of the whole tenant that may not list projects is told to name one by its id', async () => {
    const env = await keyOf(['sanctions']);
    const { code, stderr } = await run(['sanctions', 'active'], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--project or EARSHOT_PROJECT')]);
    const named = await run(['sanctions', 'active', '--project', 'default'], { env });
    expect([named.code, named.stderr]).toEqual([5, expect.stringContaining('name the project by its id')]);
    expect((await run(['sanctions', 'active', '--project', daemon.projectId], { env })).code).toBe(0);
  });
});

describe('profiles', () => {
  it('name a daemon each; `profiles use` chooses one', async () => {
    await run(['profiles', 'set', 'here', '--url', daemon.url, '--project', daemon.projectId]);
    await run(['profiles', 'set', 'elsewhere', '--url', 'http://127.0.0.1:9']);
    expect((await run(['doctor'])).code).toBe(7);
    expect(await run(['profiles', 'use', 'here'])).toMatchObject({ code: 0, stdout: '' });
    expect(await json(['profiles', 'list'])).toEqual([
      { name: 'elsewhere', url: 'http://127.0.0.1:9', project: null, projectId: null, loggedIn: false, current: false },
      {
        ...{ name: 'here', url: daemon.url, project: daemon.projectId, projectId: daemon.projectId },
        loggedIn: false,
        current: true,
      },
    ]);
    expect((await run(['profiles', 'delete', 'elsewhere'])).code).toBe(0);
    expect((await run(['profiles', 'use', 'elsewhere'])).code).toBe(4);
    expect(statSync(join(config, 'earshot', 'profiles.json')).mode & 0o777).toBe(0o600);
  });

  it('keep their project when somebody logs in, and lose the login with the address', async () => {
    expect((await login()).code).toBe(0);
    const [profile] = await json<object[]>(['profiles', 'list']);
    expect(profile).toMatchObject({ projectId: daemon.projectId, loggedIn: true });
    await run(['profiles', 'set', 'here', '--project', 'default']);
    expect((await run(['profiles', 'list'])).stdout).toMatch(/^here +\S+ +default +true +true/m);
    await run(['profiles', 'set', 'moved', '--url', daemon.url]);
    await login('--profile', 'moved');
    await run(['profiles', 'set', 'moved', '--url', 'http://127.0.0.1:9']);
    expect(await json(['profiles', 'list'])).toContainEqual(
      expect.objectContaining({ name: 'moved', loggedIn: false }),
    );
    await run(['profiles', 'use', 'here']);
  });

  it('go on with the login in use where they are of the same daemon, and share it from then on', async () => {
    await run(['profiles', 'use', 'here']);
    const set = await run(['profiles', 'set', 'prod', '--url', daemon.url, '--project', 'default']);
    expect(set).toMatchObject({
      code: 0,
      stderr: `The profile prod uses ${daemon.url}. \`earshot profiles use prod\` makes it the current one.\n`,
    });
    expect((await run(['participants', 'list'])).code).toBe(0);
    await run(['login', '--renew']);
    expect([loginOf('prod'), (await run(['whoami', '--profile', 'here'])).code]).toEqual([loginOf('here'), 0]);
    await run(['logout']);
    expect([loginOf('prod'), loginOf('here')]).toEqual([undefined, undefined]);
  });

  it('without a login say how to get one', async () => {
    const url = 'http://127.0.0.1:9';
    expect((await run(['profiles', 'set', 'new', '--url', url])).stderr).toBe(
      `The profile new uses ${url}. \`earshot profiles use new\` makes it the current one. It has no login yet: type \`earshot login --profile new\`.\n`,
    );
    expect((await run(['profiles', 'use', 'new'])).stderr).toContain('It has no login yet');
    const { code, stderr } = await run(['profiles', 'set', 'away', '--url', daemon.url, '--project', 'default']);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(`Type \`earshot login --url ${daemon.url} --profile away\``),
    ]);
    for (const name of ['new', 'prod']) await run(['profiles', 'delete', name]);
    await run(['profiles', 'use', 'here']);
    await login();
  });

  it('are chosen for one command by a flag or by the environment', async () => {
    const elsewhere = ['profiles', 'list', '--profile', 'moved'];
    const current = (rows: { name: string; current: boolean }[]) => rows.find((row) => row.current)?.name;
    expect(current(await json(elsewhere))).toBe('moved');
    expect(current(await json(['profiles', 'list'], { env: { EARSHOT_PROFILE: 'moved' } }))).toBe('moved');
    expect((await run(['whoami', '--profile', 'moved'])).code).toBe(7);
    expect(current(await json(['profiles', 'list']))).toBe('here');
  });

  it('keep their login and their project to the address that gave them', async () => {
    const other = await startDaemon();
    try {
      const { code, stderr } = await run(['whoami', '--url', other.url]);
      expect(code).toBe(3);
      expect(stderr).toMatch(/API key|user token/);
      const list = ['users', 'list', '--url', other.url];
      expect((await run(list, { env: { EARSHOT_API_KEY: other.apiKey } })).code).toBe(0);
    } finally {
      await other.stop();
    }
  });
});

describe('a login', () => {
  it('is renewed, and goes on after a change of the password', async () => {
    expect((await run(['login', '--renew'])).code).toBe(0);
    const changed = await run(['password', '--stdin'], {
      input: `${administrator.password}\nanother long password\n`,
    });
    expect(changed).toMatchObject({ code: 0, stdout: '' });
    expect(await json(['whoami'])).toMatchObject({ email: administrator.email });
    await run(['password', '--stdin'], { input: `another long password\n${administrator.password}` });
  });

  it('by an identity provider that is not configured says so', async () => {
    const { code, stderr } = await run(['login', '--session-stdin'], { input: 'a session' });
    expect(code).toBe(3);
    expect(stderr).toContain('No identity provider is configured');
  });

  it('with a wrong password is refused, and leaves the one before as it is', async () => {
    const { code, stdout, stderr } = await run(['login', '--email', administrator.email, '--password-stdin'], {
      input: 'not the password',
    });
    expect({ code, stdout, stderr }).toEqual({ code: 3, stdout: '', stderr: 'E-mail or password is wrong.\n' });
    expect((await run(['whoami'])).code).toBe(0);
  });

  it('that has ended elsewhere is forgotten by logout', async () => {
    await login('--profile', 'ended', '--url', daemon.url);
    const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: loginOf('ended') } });
    await client.call(accountRoutes.logout, {});
    expect(await run(['logout', '--profile', 'ended'])).toMatchObject({ code: 0, stderr: 'Logged out.\n' });
    expect(loginOf('ended')).toBeUndefined();
    await run(['profiles', 'delete', 'ended']);
    await run(['profiles', 'use', 'here']);
  });

  it('of a file that cannot be read says which', async () => {
    const env = { XDG_CONFIG_HOME: join(config, 'broken') };
    mkdirSync(join(config, 'broken', 'earshot'), { recursive: true });
    writeFileSync(join(config, 'broken', 'earshot', 'profiles.json'), '{');
    const { code, stderr } = await run(['whoami'], { env });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('broken/earshot/profiles.json is not a valid profiles file'),
    ]);
  });

  it('needs a flag where there is nobody to ask', async () => {
    expect(await run(['login'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--email') });
    const { stderr } = await run(['login', '--email', administrator.email]);
    expect(stderr).toContain('--password-stdin');
  });

  it('ends by logout, at the daemon and in the profile; address and project stay', async () => {
    const token = loginOf('here');
    expect(await run(['logout'])).toMatchObject({ code: 0, stdout: '', stderr: 'Logged out.\n' });
    expect((await run(['whoami'], { env: { EARSHOT_TOKEN: token } })).code).toBe(3);
    expect((await run(['whoami'])).code).toBe(3);
    expect(await json(['profiles', 'list'])).toContainEqual(
      expect.objectContaining({ name: 'here', url: daemon.url, projectId: daemon.projectId, loggedIn: false }),
    );
    expect((await login()).code).toBe(0);
  });
});

describe('doctor', () => {
  it('finds nothing wrong, or says what is', async () => {
    expect(await json(['doctor'])).toEqual([
      expect.objectContaining({ check: 'daemon', ok: true }),
      expect.objectContaining({ check: 'credential', ok: true }),
      { check: 'projects', ok: true, says: 'default' },
      { check: 'voice', ok: true, says: 'nothing fails' },
      { check: 'webhooks', ok: true, says: 'nothing fails' },
      { check: 'plugins', ok: true, says: 'nothing fails' },
      { check: 'jobs', ok: true, says: 'nothing fails' },
    ]);
    const { code, stdout } = await run(['doctor'], { env: { EARSHOT_API_KEY: 'mistyped' } });
    expect(code).toBe(1);
    expect(stdout).toMatch(/credential +false +The credential is not valid/);
  });
});

describe('doctor of a daemon that is reached from elsewhere', () => {
  const checks = async (publicUrl: string) => {
    const body = JSON.stringify({ message: '', name: 'earshot', version: '1', publicUrl });
    const transport = async () => new Response(body, { headers: { 'Content-Type': 'application/json' } });
    const found = [];
    for await (const one of examine(new EarshotClient({ baseUrl: 'https://voice.example', transport })))
      found.push(one);
    return found.map(({ check, ok, says }) => ({ check, ok, says }));
  };

  it('says that its links open nowhere else, and what to set', async () => {
    const says = expect.stringContaining('Set EARSHOT_PUBLIC_URL=https://voice.example there.');
    expect(await checks('http://127.0.0.1:8080')).toContainEqual({ check: 'links', ok: false, says });
    expect(await checks('https://voice.example')).not.toContainEqual(expect.objectContaining({ check: 'links' }));
  });
});

describe('api-keys', () => {
  it('are made, shown, explained and revoked', async () => {
    const scopes = ['--scopes', 'sanctions:read', '--expires-at', 'in 1h'];
    const made = await run(['api-keys', 'create', '--name', 'ci', ...scopes, '--json']);
    const { id, key } = JSON.parse(made.stdout);
    expect(key).toMatch(/^earshot_live_/);
    expect(made.stderr).toContain('shown only once');
    const shown = (await run(['api-keys', 'list'])).stdout;
    expect(shown).toContain('ci');
    expect(shown).not.toContain(key);
    const explained = (await run(['api-keys', 'scopes'])).stdout;
    expect(explained).toMatch(/sanctions:read +[1-9]\d* +Sanctions \(read only\)/);
    for (const opensNothing of ['plugin-endpoints', 'plugin-endpoints:read', 'tokens:read'])
      expect(explained).toMatch(new RegExp(`${opensNothing} +0 `));
    for (const scope of ['events +[1-9][0-9]* +Event streams', 'webhooks +[1-9][0-9]* +Webhook subscriptions'])
      expect(explained).toMatch(new RegExp(`${scope}.* each line of every transcript`));
    expect(await json(['api-keys', 'revoke', id, '--yes'])).toEqual({ id, deleted: true, made: [] });
    expect((await run(['api-keys', 'revoke', id, '--yes'])).code).toBe(4);
  });
});
