import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { programEnvironment } from '../support/program-environment.js';
import { type Gatherings, gatheringsOf } from './support.js';

const program = fileURLToPath(new URL('../../bin/earshot.js', import.meta.url));
let daemon: TestDaemon;
let g: Gatherings;
beforeAll(async () => {
  daemon = await startDaemon();
  g = gatheringsOf(daemon);
  for (const name of ['ann', 'bob', 'cid']) await g.person(name);
});
afterAll(async () => {
  cli.dispose();
  await daemon.stop();
});

const environment = () => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey });
const cli = commandLine(environment);
const gatherings = (args: string[], input = '') => cli.run(['gatherings', ...args], { input });

describe('earshot gatherings', () => {
  it('lets people in by code, one a line, and tells who stays outside', async () => {
    const { joinCode, id } = await g.create({ maxMembers: 2 });
    const { code, stdout, stderr } = await gatherings(['join', joinCode.toLowerCase(), '-'], 'ann\nnobody\nbob\ncid\n');
    expect(stdout.split('\n')[0]).toMatch(/^DISPLAY NAME +ROLE +STATUS +READY +JOINED AT +ID$/);
    expect(stdout).toMatch(/ann +owner +joined +false +\d{4}-\d\d-\d\dT/);
    expect(stderr).toContain('nobody: There is no person nobody.');
    expect(stderr).toContain('cid: The gathering has no free seat.');
    expect(code).toBe(4);
    expect(await g.get(id)).toMatchObject({ memberCount: 2 });
  });

  it('creates many from standard input', async () => {
    const lines = ['{"name":"one","maxMembers":3}', '{"name":"two","type":"open"}', '{"nom":"three"}'];
    expect(await gatherings(['create', '-'], lines.join('\n'))).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('--stdin') },
    });
    const { code, stdout, stderr } = await gatherings(['create', '--stdin', '--json'], lines.join('\n'));
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'one', maxMembers: 3 },
      { name: 'two', type: 'open' },
    ]);
    expect(stderr).toContain('line 3: nom: no such field');
    expect(code).toBe(2);
  });

  it('changes what is named, clears what is told to, and takes durations for times', async () => {
    const { id } = await g.create({ description: 'old' });
    const { code } = await gatherings(['update', id, '--max-members', '12', '--listed', '--clear', 'description']);
    expect(code).toBe(0);
    expect(await g.get(id)).toMatchObject({ maxMembers: 12, listed: true, description: null });
  });

  it('mutes and unmutes the room of one', async () => {
    const { joinCode, roomId } = await g.create({ name: 'Team red' });
    const muted = await gatherings(['mute', 'Team red', '10m']);
    expect(muted).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('muted to everybody but moderators until'),
    });
    const room = () => daemon.client.call(roomRoutes.get, { params: { projectId: daemon.projectId, roomId } });
    expect((await room()).muted?.until).toEqual(expect.any(String));
    expect(await gatherings(['unmute', joinCode])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no longer'),
    });
    expect((await room()).muted).toBeNull();
    expect(await gatherings(['mute', 'Team rde'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Team red'),
    });
  });

  it('follows one until it is over', async () => {
    const { id, joinCode } = await g.create();
    // In a process of its own: people come while it runs.
    const env = { ...programEnvironment, ...environment() };
    const watched = promisify(execFile)(process.execPath, [program, 'gatherings', 'watch', joinCode], { env });
    const ann = await g.person('ann');
    await g.join(joinCode, ann.id);
    await g.end(id);
    const { stdout } = await watched;
    for (const line of stdout.trim().split('\n').filter(Boolean))
      expect(JSON.parse(line)).toMatchObject({ resourceId: `gathering:${id}` });
  });

  it('ends with 4 for what is not there, and 5 for a refusal', async () => {
    expect((await gatherings(['get', '00000000-0000-7000-8000-000000000000'])).code).toBe(4);
    const { id } = await g.create();
    await g.cancel(id);
    expect((await gatherings(['start', id])).code).toBe(5);
  });
});
