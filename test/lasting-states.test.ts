/**
 * What lasts has two lines in the log, as docs/operating.md lists them: one when it begins, at `error`, and one when it has
 * ended. Sentences elsewhere send people to them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Disk } from '../daemon/platform/quota/disk.js';
import { Repeat } from '../daemon/platform/scheduler/repeat.js';
import { eventually } from './support/eventually.js';
import { logLines } from './support/log-lines.js';

const root = new URL('..', import.meta.url);

it('a full disk', async () => {
  const { lines, log } = logLines();
  let free = 2 ** 40;
  const room = { words: { of: 'the disk', remedy: 'free some' }, free: () => Promise.resolve(free) };
  const disk = new Disk(room, 512, log);
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
