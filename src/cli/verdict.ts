/** The result of a watch, in words for people and as test cases for CI systems. */

import { harmless } from '../printable.js';
import type { TestCase } from './junit.js';
import type { Finding, Report } from './witness.js';

export function verdict({ expectation, count, outcome, seen }: Finding): string {
  const events = `${seen.length} ${seen.length === 1 ? 'event' : 'events'}`;
  const desired = count === null ? 'at least 1' : String(count);
  return `${expectation.text}: ${events}${outcome === 'met' ? '' : `, expected ${desired}`}`;
}

/** One for each expectation, and one for the command. */
export function casesOf({ findings, exitCode, gap, seconds }: Report, command: readonly string[]): TestCase[] {
  const cases = findings.map((finding): TestCase => {
    const { expectation, outcome, seen } = finding;
    const message = gap ? 'There is a gap in the stream.' : verdict(finding);
    const detail = seen.map(({ event }) => JSON.stringify(event)).join('\n');
    return {
      name: expectation.text,
      seconds: seen.at(-1)?.seconds ?? seconds,
      failure: outcome === 'met' && !gap ? null : { message, detail },
    };
  });
  if (command.length === 0) return cases;
  const failure = exitCode === 0 ? null : { message: `The command ended with ${exitCode}.`, detail: '' };
  return [...cases, { name: harmless(command.join(' ')), seconds, failure }];
}
