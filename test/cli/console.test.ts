/** The commands that lead to the console, and the sessions that they open. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleLogin, consoleHeaders, consoleSessionRoutes } from '../../src/contract/identity/console-sessions.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { commandLine } from '../support/cli.js';
import { settle } from '../support/console.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';

const { run, json, dispose } = commandLine();
let daemon: TestDaemon;
let scene: Awaited<ReturnType<typeof settle>>;
const env = () => ({ EARSHOT_URL: daemon.url, EARSHOT_PROJECT: daemon.projectId });
beforeAll(async () => {
  daemon = await startDaemon();
  scene = await settle(daemon);
  const login = ['login', '--email', administrator.email, '--password-stdin'];
  expect(await run(login, { env: env(), input: administrator.password })).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await daemon.stop();
  dispose();
});

async function redeem(address: string): Promise<ConsoleLogin> {
  const code = new URLSearchParams(new URL(address).hash.slice(1)).get('code');
  const response = await fetch(daemon.url + consoleSessionRoutes.redeemCode.path, {
    method: 'POST',
    headers: { ...consoleHeaders, Origin: daemon.url, 'Content-Type': 'application/json', 'User-Agent': 'Desk/1.0' },
    body: JSON.stringify({ code }),
  });
  return ConsoleLogin.parse(await response.json());
}

describe('earshot console', () => {
  it('prints an address that signs its user in, where no browser opens', async () => {
    const { code, stdout, stderr } = await run(['console', '--no-browser'], { env: env() });
    expect([code, stderr]).toEqual([0, expect.stringContaining('Open this address in a browser within a minute')]);
    expect(stdout.startsWith(`${daemon.url}/console#code=`)).toBe(true);
    expect((await redeem(stdout.trim())).user.email).toBe(administrator.email);
  });

  it('is for people: a key is refused', async () => {
    const { code, stderr } = await run(['console'], { env: { ...env(), EARSHOT_API_KEY: daemon.apiKey } });
    expect([code, stderr]).toEqual([5, expect.stringContaining('this is an API key. Log in with `earshot login`')]);
  });
});

describe('earshot open', () => {
  it.each([
    ['u_ben', 'people/u_ben', []],
    ['Ben Stone', 'people/u_ben', []],
    ['somebody/new', 'people/somebody%2Fnew', ['--as', 'person']],
    ['court', 'rooms/court', ['--as', 'room']],
  ] as const)('leads to %s', async (target, page, flags) => {
    const { code, stdout } = await run(['open', target, ...flags, '--no-browser'], { env: env() });
    expect([code, stdout.split('#')[0]]).toEqual([0, `${daemon.url}/console/projects/${daemon.projectId}/${page}`]);
  });

  it('tells cases and sanctions by their ids', async () => {
    const { cases } = await daemon.client.call(caseRoutes.list, { params: { projectId: daemon.projectId }, query: {} });
    for (const [id, folder] of [
      [cases[0]?.id ?? '', 'cases'],
      [scene.appeal.id, 'cases'],
      [scene.mute.id, 'sanctions'],
    ] as const) {
      const { stdout } = await run(['open', id, '--no-browser'], { env: env() });
      expect(stdout).toContain(`/${folder}/${id}#code=`);
    }
  });
});

describe('earshot auth sessions', () => {
  it('lists the browsers that are signed in, and ends one', async () => {
    const { stdout } = await run(['console', '--no-browser'], { env: env() });
    const { session } = await redeem(stdout.trim());
    const listed = await json(['auth', 'sessions'], { env: env() });
    expect(listed).toContainEqual(expect.objectContaining({ id: session.id, device: 'Desk/1.0', current: false }));
    expect(await run(['auth', 'end-session', session.id], { env: env() })).toMatchObject({ code: 0 });
    expect(await json(['auth', 'sessions'], { env: env() })).not.toContainEqual(
      expect.objectContaining({ id: session.id }),
    );
  });
});

/** As the screens write them, for whoever copies one. */
describe('the commands that the console shows', () => {
  it.each([
    () => [
      'sanctions',
      'issue',
      '--type',
      'mute',
      '--user',
      'u_cli',
      '--new',
      '--duration',
      '10m',
      '--reason',
      "it's enough",
    ],
    () => ['sanctions', 'list', '--type', 'mute', '--user', 'u_cli', '--status', 'active'],
    () => ['sanctions', 'active', 'u_cli'],
    () => ['participants', 'list', '--search', 'ben'],
    () => ['participants', 'history', 'u_ben', '--kind', 'voice'],
    () => ['participants', 'notes', 'add', 'u_ben', 'A note'],
    () => ['reviews', 'list', '--status', 'open'],
    () => ['reviews', 'claim', scene.appeal.id],
    () => ['reviews', 'overturn', scene.appeal.id, '--answer', 'You may', '--note', 'A joke'],
    () => ['rooms', 'list'],
    () => ['rooms', 'announce', 'court', 'Five minutes left'],
    () => ['sessions', 'messages', scene.session.id],
    () => ['sessions', 'list', '--room', 'court', '--since', '2026-01-01T00:00:00.000Z'],
    () => ['messages', 'search', 'idiot play*', '--room', 'court', '--until', '2099-01-01T00:00:00.000Z'],
    () => ['gatherings', 'list', '--status', 'active', '--user', 'u_ben'],
    () => ['mute', 'u_ana', '10m'],
    () => ['participants', 'delete', 'u_eve', '--yes'],
  ])('run as they stand (%#)', async (line) => {
    const { code, stderr } = await run(line(), { env: env() });
    expect([code, stderr]).toEqual([0, expect.any(String)]);
  });
});
