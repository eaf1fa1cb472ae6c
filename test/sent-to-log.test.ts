/** Sentences that send somebody to the log of the daemon: each line is there, and a suite shows it. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const root = new URL('..', import.meta.url);
/** Lines of the log, by the words of an answer, a command or a page that send somebody there. */
const lineFor: Readonly<Record<string, string>> = {
  "failed; the daemon's log says why": 'the daemon is not ready',
  'The database is out of space': 'there is no room for the database; nothing is stored',
  'The database does not answer': 'the daemon is not ready',
  "could not be stored; the daemon's log says why": 'utterance could not be stored',
  'The daemon failed to do it; its log says why.': 'failed for the operator',
  'one was due at': 'no backup was made at the time of EARSHOT_BACKUP_SCHEDULE',
  'The daemon restarts it. Look for': 'ended by a fault',
  'The daemon crashed twice during': 'ended by a fault',
  'Its log has the line "a job failed"': 'a job failed; it will run again',
  'of the log could not be read or counted': 'an event of the log cannot be read; it is skipped',
  'Start one, or check its log.': 'the daemon is not ready',
  'The room process does not start again.': 'the room process does not start; trying again',
  'earshotd speech recommend, EARSHOT_RECOGNITION_FACTOR': 'more is said than the speech recogniser keeps up with',
  'What it heard last could not be stored': 'utterance could not be stored',
  'utterances were not recognised or not stored': 'utterance could not be stored',
};
const sends = /log says why|its log\.|log has the|[Ll]ook for ".*" in the log|the log for the reason/;
const git = (...args: string[]): string =>
  execFileSync('git', ['grep', '--untracked', ...args], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 27 });

it('a sentence that sends somebody to the log names what is there', () => {
  const lines = git('-hE', '-B1', sends.source, '--', 'daemon', 'src', 'commands', 'web/console').split('\n');
  const sentences = lines
    .map((line, index) => ({ line, text: `${lines[index - 1] ?? ''}${line}` }))
    .filter(({ line }) => sends.test(line) && !/^\s*(?:\*|\/\*|\/\/)/.test(line));
  expect(sentences.length).toBeGreaterThan(10);
  const others = sentences.filter(({ text }) => !Object.keys(lineFor).some((words) => text.includes(words)));
  expect(others).toEqual([]);
});

describe('the line', () => {
  it.each([...new Set(Object.values(lineFor))])('%s', (line) => {
    const files = git('-lF', '-e', line, '--', 'daemon', 'test', ':!test/sent-to-log.test.ts').trim().split('\n');
    expect(files.some((file) => file.startsWith('daemon/'))).toBe(true);
    expect(files.some((file) => file.endsWith('.test.ts'))).toBe(true);
  });
});
