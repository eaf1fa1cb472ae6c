import { parseDuration, parseTime, parseWait } from '../../../src/cli/typed/times.js';
import { TimestampInput } from '../../../src/contract/common.js';
import { UsageError } from '../../../src/terminal/usage-error.js';
import { spanOf } from '../../../src/text/span.js';
import { type FuzzTarget, hold, unlessRefused } from '../engine/target.js';

const now = new Date('2026-03-28T23:30:00Z');

const parse = (input: Buffer) => {
  const text = input.toString('utf8');
  return {
    duration: unlessRefused(() => parseDuration(text), UsageError),
    wait: unlessRefused(() => parseWait(text), UsageError),
    past: unlessRefused(() => parseTime(text, now, 'past'), UsageError),
    future: unlessRefused(() => parseTime(text, now, 'future'), UsageError),
    stamp: TimestampInput.safeParse(text).data,
  };
};

/** Durations and times as people type them, and those of the API. */
export const times: FuzzTarget = {
  name: 'times',
  maxBytes: 20_000,
  parse,
  check(input) {
    const { duration, wait, past, future, stamp } = parse(input);
    if (duration !== null) {
      hold(Number.isSafeInteger(duration) && duration >= 0, 'A duration is a whole number of seconds.', duration);
      const shown = spanOf(duration);
      hold(parseDuration(shown) <= duration, 'A duration is shown as one, rounded down.', shown, duration);
    }
    if (wait !== null) hold(wait * 1_000 < 2 ** 31, 'Node.js can wait as long.', wait);
    for (const time of [past, future]) {
      if (time === null) continue;
      hold(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time), 'A time is written as RFC 3339 has it.', time);
      hold(parseTime(time, now, 'past') === time, 'A time that is written is read as the same.', time);
    }
    if (stamp !== undefined) {
      const year = new Date(stamp).getUTCFullYear();
      hold(year >= 1 && year <= 9_999, 'Databases know the year.', stamp);
    }
  },
  seeds: [
    ...[
      '2h30m',
      '10 minutes',
      '0',
      '7d',
      'in 2h',
      '2 hours ago',
      'yesterday',
      'mon 18:00',
      'tonight',
      'last month',
      '18:00',
    ],
    ...[
      '2026-01-31T18:00:00Z',
      '2026-02-30',
      '2026-01-31 18:00 +01:00',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59.999Z',
    ],
  ],
  words: [
    ...[
      'in ',
      ' ago',
      's',
      'm',
      'h',
      'd',
      'w',
      'weeks',
      'seconds',
      'tomorrow',
      'today',
      'this ',
      'next ',
      'week',
      'month',
    ],
    ...[
      'monday',
      'tues',
      'now',
      ' ',
      ':',
      '-',
      'T',
      'Z',
      '+14:00',
      '-23:59',
      '.123',
      '2026-12-31',
      '24:00',
      '0000',
      '9999',
    ],
  ],
};
