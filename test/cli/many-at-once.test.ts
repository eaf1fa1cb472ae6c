/** Commands that act on many at once: players of a file, members of a gathering, deliveries that failed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

let daemon: TestDaemon;
let receiver: Receiver;
const folder = mkdtempSync(join(tmpdir(), 'earshot-many-'));
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const made = (...line: string[]) => cli.json<{ id: string }>(line);

beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  receiver = await startReceiver();
});
afterAll(async () => {
  await daemon.stop();
  await receiver.stop();
  cli.dispose();
  rmSync(folder, { recursive: true, force: true });
});

describe('players unlock -f', () => {
  it('acts for everybody in the file, and says who was refused', async () => {
    await made('challenges', 'create', '--name', 'Ten kills', '--event-name', 'kill-enemy', '--goal', '10');
    const file = join(folder, 'players.csv');
    writeFileSync(file, 'u1;eu\nu2\n\n;nobody\nu1\n');
    const { code, stdout, stderr } = await cli.run(['players', 'unlock', 'Ten kills', '-f', file]);
    expect(stdout).toMatch(/^USER ID +STATE +COUNTER +GOAL\nu1 +unlocked +0 +10\nu2 +unlocked +0 +10\n$/);
    expect(stderr).toMatch(/^;nobody: names nobody\.\nu1;?: .*unlocked/m);
    expect(code).toBe(2);
    const again = await cli.run(['players', 'activate', 'Ten kills', '--file', '-', '--json'], { input: 'u1\nu2\n' });
    expect(JSON.parse(again.stdout)).toMatchObject([
      { userId: 'u1', state: 'in-progress' },
      { userId: 'u2', state: 'in-progress' },
    ]);
    const list = JSON.stringify([{ userId: 'u1' }, { userId: 'u9' }, { colour: 'red' }], null, 2);
    const others = await cli.run(['players', 'unlock', 'Ten kills', '-f', '-'], { input: list });
    expect(others.stderr).toMatch(/^u1: .*in progress.*\nrow 3: names nobody\.\n$/);
    const one = await cli.run(['players', 'unlock', 'u3', 'Ten kills']);
    expect([one.code, one.stdout]).toEqual([0, expect.stringMatching(/^userId +u3$/m)]);
    expect((await cli.run(['players', 'unlock', '--help'])).stdout).toContain('players unlock CHALLENGE -f FILE');
  });
});

describe('gatherings move', () => {
  it('moves one, or everybody on standard input', async () => {
    for (const name of ['Team red', 'Team blue'])
      await made('gatherings', 'create', '--name', name, '--max-members', '2');
    for (const user of ['ann', 'bob', 'cid']) {
      await made('participants', 'create', '--user', user);
      await cli.run(['gatherings', 'add', user === 'cid' ? 'Team blue' : 'Team red', user]);
    }
    const one = await cli.run(['gatherings', 'move', 'Team red', 'ann', '--to', 'Team blue']);
    expect([one.code, one.stdout]).toEqual([0, expect.stringMatching(/^ann +member +joined/m)]);
    const many = await cli.run(['gatherings', 'move', 'Team red', '-', '--to', 'Team blue'], { input: 'bob\ncid\n' });
    expect(many).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^bob: .*no free seat.*\ncid: .*no such member/),
    });
  });
});

describe('webhooks replay --failed', () => {
  it('sends what failed again, of one webhook or of all of them', async () => {
    const { id } = await made('webhooks', 'create', '--to', receiver.url, '--events', 'participant.created');
    await made('webhooks', 'create', '--to', `${receiver.url}/other`, '--events', 'gathering.*');
    receiver.answer = 500;
    await made('participants', 'create', '--user', 'dan');
    const params = { projectId: daemon.projectId };
    await eventually(async () => {
      const [delivery] = await daemon.client.call(webhookEventRoutes.list, { params });
      expect(delivery?.attemptsCount).toBe(1);
      expect(delivery?.lastError).not.toBeNull();
    });
    receiver.answer = 200;
    const replays = await cli.json(['webhooks', 'replay', '--failed']);
    expect(replays).toMatchObject([
      { subscriptionId: id, queued: 1, complete: true },
      { url: `${receiver.url}/other`, queued: 0 },
    ]);
    await receiver.waitFor(2);
    await eventually(async () =>
      expect(await cli.json(['webhooks', 'replay', id, '--failed'])).toMatchObject({ queued: 0, complete: true }),
    );
    expect(await cli.run(['webhooks', 'replay'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--failed'),
    });
    expect(await cli.run(['webhooks', 'replay', id])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--since'),
    });
  });
});
