/** `--reset-period "weekly 04:30" --time-zone Europe/Berlin`: when a challenge or a leaderboard begins anew. */

import * as Flags from '@oclif/core/flags';
import { ResetPeriod } from '../../contract/gameplay/challenges.js';
import { judge } from '../../contract/judge.js';
import { UsageError } from '../../terminal/usage-error.js';
import type { OwnWay } from '../command/row.js';

export const resetPeriodFlags = {
  'reset-period': Flags.string({
    description: 'Restart daily, weekly (on Monday) or monthly (on the 1st), at 00:00 or as "daily 04:30"',
  }),
  'time-zone': Flags.string({
    description: 'Time zone of --reset-period, such as Europe/Berlin; default: UTC',
    dependsOn: ['reset-period'],
  }),
};

interface ResetFlags {
  readonly 'reset-period'?: string | undefined;
  readonly 'time-zone'?: string | undefined;
}

const shape = /^(?:(d)(?:ay|aily)?|(w)(?:eek|eekly)?|(m)(?:onth|onthly)?)(?:\s+(\d{1,2}:\d\d))?$/i;

/** The field of the request; the API's own JSON is taken as well. Throws UsageError. */
export function resetPeriodFrom({ 'reset-period': typed, 'time-zone': timeZone }: ResetFlags): {
  resetPeriod?: ResetPeriod;
} {
  if (typed === undefined) return {};
  const stated = { ...periodIn(typed), ...(timeZone === undefined ? {} : { timeZone }) };
  const judged = judge(ResetPeriod, stated);
  if (judged.success) return { resetPeriod: judged.data };
  const problems = judged.problems.map(({ path: [field], message }) =>
    field === 'timeZone' ? `--time-zone: ${message}` : `--reset-period: ${message}`,
  );
  throw new UsageError(problems.join('\n'));
}

function periodIn(typed: string): object {
  const [, day, week, month, time] = shape.exec(typed.trim()) ?? [];
  const range = (day ?? week ?? month)?.toLowerCase();
  if (range !== undefined) return { range, ...(time === undefined ? {} : { atTime: time.padStart(5, '0') }) };
  try {
    const period: unknown = JSON.parse(typed);
    if (typeof period === 'object' && period !== null) return period;
  } catch {}
  throw new UsageError(
    `--reset-period: "${typed}" is no period; write daily, weekly or monthly, also with a time, as "daily 04:30".`,
  );
}

/** Resets in a request whose other fields are flags of their own. */
export const resetPeriodTyped: OwnWay = { fields: ['resetPeriod'], flags: resetPeriodFlags, from: resetPeriodFrom };
