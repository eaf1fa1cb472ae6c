/** `--since 10m` is counted from the daemon's time, and ends are shown by it, whatever the clock of this machine shows. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { askForTime, daemonNow, mayHoldTimes } from '../../src/cli/typed/daemon-clock.js';
import { requestFrom } from '../../src/cli/typed/fields.js';
import { madeQuery } from '../../src/contract/common.js';
import { routes } from '../../src/contract/routes.js';
import { type CommandLine, commandLine } from '../support/cli.js';
import { type ClockRelay, startClockRelay } from '../support/clock-relay.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';

const minuteMs = 60_000;
const root = fileURLToPath(new URL('../..', import.meta.url));

async function listening(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Asks a server whose clock is ahead by so much. */
async function askServerAhead(aheadMs: number): Promise<void> {
  const server = createServer((_, response) => {
    response.setHeader('Date', new Date(Date.now() + aheadMs).toUTCString());
    response.end();
  });
  await askForTime(await listening(server));
  await new Promise((closed) => server.close(closed));
}
const aheadMs = () => daemonNow().getTime() - Date.now();

describe('a time counted from now', () => {
  afterEach(() => askServerAhead(0));

  it.each([[30 * minuteMs], [-30 * minuteMs]])('goes by a daemon that is %i ms ahead', async (ahead) => {
    await askServerAhead(ahead);
    const { since } = requestFrom(z.object(madeQuery('rows')), { since: '10m' });
    const expected = Date.now() + ahead - 10 * minuteMs;
    expect(Math.abs(Date.parse(String(since)) - expected)).toBeLessThan(minuteMs);
  });

  it('goes by this machine where the clocks agree, or nothing answers', async () => {
    await askServerAhead(0);
    expect(aheadMs()).toBe(0);
    await askForTime('http://127.0.0.1:9');
    expect(aheadMs()).toBe(0);
  });

  it.each(['10m', 'now', '2 hours ago', 'in 2h', '2h30m', 'sessions:30d', '-'])('may be in %s', (typed) => {
    expect(mayHoldTimes({ typed })).toBe(true);
  });

  it.each(['yesterday', '2026-01-31T18:00:00Z', 'ada', 'room-1', ''])('is none in "%s"', (typed) => {
    expect(mayHoldTimes({ typed, file: undefined })).toBe(false);
  });

  it('may be in a file', () => {
    expect(mayHoldTimes({ file: 'bans.csv' })).toBe(true);
  });
});

describe.each([60 * minuteMs, -60 * minuteMs])(
  'commands for a daemon that is %i ms ahead',
  { timeout: 60_000 },
  (ahead) => {
    let daemon: TestDaemon;
    let relay: ClockRelay;
    let cli: CommandLine;
    const params = () => ({ projectId: daemon.projectId });
    const there = () => Date.now() + ahead;
    beforeAll(async () => {
      daemon = await startDaemon({ now: () => new Date(there()) });
      relay = await startClockRelay(daemon.url, () => new Date(there()));
      cli = commandLine(() => ({
        ...{ EARSHOT_URL: relay.url, EARSHOT_API_KEY: daemon.apiKey, EARSHOT_PROJECT: daemon.projectId },
      }));
      await daemon.client.call(routes.participants.create, { params: params(), body: { externalUserId: 'bob' } });
      await daemon.client.call(routes.gatherings.create, { params: params(), body: { name: 'Raid', roomId: 'hall' } });
    });
    afterAll(async () => {
      cli.dispose();
      relay.stop();
      await daemon.stop();
    });
    const isAbout = (at: unknown, expected: number) =>
      expect(Math.abs(Date.parse(String(at)) - expected), String(at)).toBeLessThan(minuteMs);

    it('look back from its time', async () => {
      const shift = await cli.json<{ since: string }>(['shift', '--since', '10m']);
      isAbout(shift.since, there() - 10 * minuteMs);
      const joined = await cli.run(['ban', '1d', '--from-room', 'hall', '--joined-since', '10m']);
      isAbout(/since (\S+)\. /.exec(joined.stderr)?.[1] ?? joined.stderr, there() - 10 * minuteMs);
    });

    // Events have the time of their ids, which only the clock of this machine makes.
    it('export what was stored until its time', async () => {
      if (ahead < 0) return; // what was stored has the ids of this machine's clock, which is then ahead
      const sent = await cli.run(['game-events', 'send', 'kill-enemy', '--user', 'bob', '--amount', '1']);
      expect(sent).toMatchObject({ code: 0 });
      // The header Date has whole seconds: what was stored in the last one may be after the end that follows from it.
      await eventually(async () => {
        const { stdout } = await cli.run(['game-events', 'export']);
        expect(stdout).toContain('kill-enemy');
      }, 5_000);
    });

    it('show the ends that it will set', async () => {
      const hour = (at: unknown) => {
        const time = new Date(String(at));
        return `${String(time.getHours()).padStart(2, '0')}:`;
      };
      const muted = await cli.run(['mute', 'bob', '30m']);
      const [, endAt] = /endAt +(\S+)/.exec(muted.stdout) ?? [];
      isAbout(endAt, there() + 30 * minuteMs);
      expect(muted.stderr).toContain(` ${hour(endAt)}`);
      expect(muted.stderr).toContain('(in 30m)');
      const input = 'user,type,until\nbob,ban,in 2h\n';
      expect(await cli.run(['sanctions', 'apply', '-'], { input })).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/Of these, 1 ending .*\(in 2h\)/),
      });
      const { sanctions } = await cli.json<{ sanctions: { endAt: string }[] }>([
        'sanctions',
        'list',
        '--type',
        'temp_ban',
      ]);
      isAbout(sanctions[0]?.endAt, there() + 120 * minuteMs);
    });
  },
);

/** They ask no daemon: each with what it times. */
const byThisMachine: Readonly<Record<string, string>> = {
  'src/cli/events/forward.ts': 'signs for a program of this machine',
  'commands/rooms/listen.ts': 'says when a line arrived',
};

it('reads the clock of this machine for nothing that a daemon has timed', () => {
  const files = ['src/cli', 'commands'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${folder}/${path}`),
  );
  const reading = files.filter((path) => readFileSync(join(root, path), 'utf8').includes('new Date()'));
  expect(reading.toSorted()).toEqual(Object.keys(byThisMachine).toSorted());
});
