/**
 * What lasts has two lines in the log, as docs/operating.md lists them: one when it begins, at `error`, and one when it has
 * ended. Sentences elsewhere send people to them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { statsCall } from '../daemon/modules/rooms/embedded/protocol.js';
import { usualPingEveryMs } from '../daemon/modules/rooms/embedded/room-child.js';
import { RoomProcess } from '../daemon/modules/rooms/embedded/room-process.js';
import { SpeechLoader } from '../daemon/modules/sessions/load-speech.js';
import { waitingPerSessionMax } from '../daemon/modules/sessions/recognisers/recognition-queue.js';
import { Disk } from '../daemon/platform/quota/disk.js';
import { Repeat } from '../daemon/platform/scheduler/repeat.js';
import { eventually } from './support/eventually.js';
import { logLines } from './support/log-lines.js';

const root = new URL('..', import.meta.url);

it('a full disk', async () => {
  const { lines, log } = logLines();
  let free = 2 ** 40;
  const room = { words: { of: 'the disk', remedy: 'free some' }, free: () => Promise.resolve(free) };
  const disk = new Disk(room, () => 512, log);
  for (free of [2 ** 40, 0, 0, 2 ** 40]) await disk.measure();
  expect(lines).toEqual([
    'error there is no room for the database; nothing is stored',
    'info there is room for the database again',
  ]);
});

it('a job that fails', async () => {
  const { lines, log } = logLines();
  let runs = 0;
  const work = () => (++runs <= 2 ? Promise.reject(new Error('no')) : Promise.resolve());
  const job = new Repeat('sweep', 5, work, log, () => new Date());
  job.start();
  await eventually(() => expect(runs).toBeGreaterThan(3));
  await job.stop();
  expect(lines).toEqual(['error a job failed; it will run again', 'info a job that had failed completed again']);
});

it('a recogniser that does not keep up', async () => {
  const { lines, log } = logLines();
  const waiting: (() => void)[] = [];
  let isSlow = false;
  const service = createServer((request, response) => {
    const answer = () => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"text":"hello"}');
    request.resume().on('end', () => (isSlow ? void waiting.push(answer) : answer()));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  const speech = new SpeechLoader(
    {
      choice: 'openai',
      speechDirs: [],
      openai: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: null, model: 'whisper-1' },
      sherpaModelDir: null,
      limit: { seconds: 30, factor: 1 },
    },
    log,
    () => {},
    () => {},
  );
  const { queue } = await speech.load();
  isSlow = true;
  const said = { tenantId: 't', sessionId: 's', speaker: 'ann', pcm: new Int16Array(1_600) };
  const outcomes = Array.from({ length: waitingPerSessionMax + 20 }, () => queue?.submit(said));
  await eventually(() => expect(waiting.length).toBeGreaterThan(0));
  isSlow = false;
  for (const answer of waiting) answer();
  await Promise.all(outcomes);
  expect(lines.filter((line) => line.includes('keeps up'))).toEqual([
    'error more is said than the speech recogniser keeps up with: the newest utterances are not written down',
    'info the speech recogniser keeps up again',
  ]);
  await speech.stop();
  service.close();
});

it('a room process that does not start', async () => {
  const { lines, log } = logLines();
  let starts = 0;
  const none = () => {};
  const owner = { heard: none, ended: none, lost: none, restarted: none, onFault: none };
  const ready = () => (++starts <= 2 ? Promise.reject(new Error('no')) : Promise.resolve());
  const media = { port: 0, bindAddress: null, announcedAddress: null, announcesLoopback: true, orphanMs: null };
  const rooms = new RoomProcess(media, { ...owner, ready }, log, usualPingEveryMs);
  await rooms.start();
  await rooms.callToEnter(statsCall, {}).catch(none);
  await eventually(() => expect(starts).toBe(3), 30_000);
  await eventually(() => expect(lines).toContain('info the room process has started'));
  await rooms.stop();
  expect(lines.filter((line) => line.includes('start'))).toEqual([
    'error the room process does not start; trying again',
    'info the room process has started',
  ]);
});

describe('the list in docs/operating.md', () => {
  const page = readFileSync(new URL('docs/operating.md', root), 'utf8');
  const table = page.slice(page.indexOf('| Begins with |')).split('\n\n')[0] ?? '';
  const listed = [...table.matchAll(/`([^`]{12,})`/g)].map(([, sentence = '']) => sentence.replace(/:.*|;.*/, ''));

  it('has what the daemon says', () => {
    expect(listed.length).toBeGreaterThanOrEqual(12);
    const sources = execFileSync('git', ['grep', '-hF', '-e', "'", '-e', '`', '--', 'daemon'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 27,
    });
    expect(listed.filter((sentence) => !sources.includes(sentence))).toEqual([]);
  });

  it('has every state that is reported', () => {
    const reports = execFileSync('git', ['grep', '-hE', '\\bbegins(:| =|,)', '--', 'daemon'], {
      cwd: root,
      encoding: 'utf8',
    });
    const begins = [...reports.matchAll(/begins(?:: | = |, ends\] = \[)(['"])(.+?)\1/g)].map(([, , text = '']) => text);
    expect(begins.length).toBeGreaterThanOrEqual(5);
    expect(begins.filter((text) => !listed.some((sentence) => text.startsWith(sentence)))).toEqual([]);
  });

  it('has a test for each', () => {
    const untested = listed.filter((sentence) => {
      const found = execFileSync('sh', ['-c', 'git grep --untracked -lF -e "$1" -- test || true', 'sh', sentence], {
        cwd: root,
        encoding: 'utf8',
      });
      return found.trim() === '';
    });
    expect(untested).toEqual([]);
  });
});
