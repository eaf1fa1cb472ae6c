/** The result of a watch, in words for people and as test cases for CI systems. */
import { harmless } from '../../text/printable.js';
import type { TestCase } from './junit.js';
import type { JudgedExpectation, WitnessReport } from './witness.js';

export function verdict({ expectation, count, outcome, seen }: JudgedExpectation): string {
  const events = `${seen.length} ${seen.length === 1 ? 'event' : 'events'}`;
  const desired = count === null ? 'at least 1' : String(count);
  const shortfall = outcome === 'met' ? '' : `, expected ${desired}`;
  return `${expectation.text}: ${events}${shortfall}${outcome === 'open' ? '; ended before --within was over' : ''}`;
}

/** `Arrived: 2 × message.created, 1 × sanction.created.` */
export function arrivals({ counts }: Pick<WitnessReport, 'counts'>): string {
  const types = [...counts].toSorted(([, a], [, b]) => b - a).map(([type, count]) => `${count} × ${harmless(type)}`);
  return types.length === 0 ? 'Nothing arrived.' : `Arrived: ${types.join(', ')}.`;
}

const arrivedLinesMax = 200;

/** Each event that came, with its time: those that count are marked. */
function arrivedLines({ arrived, counts }: WitnessReport, { seen }: JudgedExpectation): string {
  const lines = arrived
    .slice(0, arrivedLinesMax)
    .map((one) => `${seen.includes(one) ? '✓' : ' '} ${one.seconds.toFixed(3)} s  ${JSON.stringify(one.event)}`);
  const rest = [...counts.values()].reduce((sum, count) => sum + count, 0) - lines.length;
  return [arrivals({ counts }), ...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

/** One for each expectation, and one for the command. */
export function casesOf(report: WitnessReport, command: readonly string[]): TestCase[] {
  const { findings, exitCode, gap, isCut, seconds } = report;
  const cases = findings.map((finding): TestCase => {
    const { expectation, outcome, seen } = finding;
    const isUnproven = gap || (isCut && finding.count !== null);
    const message = gap
      ? 'There is a gap in the stream.'
      : isUnproven
        ? 'The stream was lost when the time was over.'
        : `${verdict(finding)}. ${arrivals(report)}`;
    const detail = arrivedLines(report, finding);
    return {
      name: expectation.text,
      seconds: seen.at(-1)?.seconds ?? seconds,
      failure: outcome === 'met' && !isUnproven ? null : { message, detail },
    };
  });
  if (command.length === 0) return cases;
  const failure = exitCode === 0 ? null : { message: `The command ended with ${exitCode}.`, detail: '' };
  return [...cases, { name: harmless(command.join(' ')), seconds, failure }];
}
