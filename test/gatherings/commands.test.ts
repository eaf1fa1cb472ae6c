import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
afterAll(() => daemon.stop());

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const gatherings = (args: string[], input = ''): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...programEnvironment, EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey };
    const child = execFile(process.execPath, [program, 'gatherings', ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
    child.stdin?.end(input);
  });

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
    const { code, stdout, stderr } = await gatherings(['create', '--stdin', '--json'], lines.join('\n'));
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'one', maxMembers: 3 },
      { name: 'two', type: 'open' },
    ]);
    expect(stderr).toContain('Write a request a line');
    expect(code).toBe(2);
  });

  it('changes what is named, clears what is told to, and takes durations for times', async () => {
    const { id } = await g.create({ description: 'old' });
    const { code } = await gatherings(['update', id, '--max-members', '12', '--listed', '--clear', 'description']);
    expect(code).toBe(0);
    expect(await g.get(id)).toMatchObject({ maxMembers: 12, listed: true, description: null });
  });

  it('follows one until it is over', async () => {
    const { id, joinCode } = await g.create();
    const watched = gatherings(['watch', joinCode]);
    const ann = await g.person('ann');
    await g.join(joinCode, ann.id);
    await g.end(id);
    const { code, stdout } = await watched;
    expect(code).toBe(0);
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
