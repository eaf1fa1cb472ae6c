/** Reads the duration of a sanction as people type it, in commands and at prompts. */

import { momentOf } from '../../terminal/shown-times.js';
import { UsageError } from '../../terminal/usage-error.js';
import { foreverWord, foreverWords } from '../../text/forever.js';
import { daemonNow } from '../typed/daemon-clock.js';
import { parseDuration, parseTime } from '../typed/times.js';

/** Seconds, a time, or neither: until it is revoked. */
export interface Term {
  readonly duration?: number;
  readonly endAt?: string;
}

/** `10m`, `for 2 hours`, `until mon 18:00`, `forever`. Throws UsageError. */
export function parseTerm(typed: string): Term {
  const words = typed.trim();
  if (foreverWords.has(words.toLowerCase())) return {};
  if (words === '') throw new UsageError(`Write how long: 10m, 2h, "until mon 18:00", or ${foreverWord}.`);
  const [, until] = /^until\s+(.+)$/i.exec(words) ?? [];
  if (until !== undefined) return { endAt: parseTime(until, daemonNow(), 'future') };
  const duration = parseDuration(words.replace(/^for\s+/i, ''));
  if (duration === 0) throw new UsageError(`Write a duration above 0, such as 10m, or ${foreverWord}.`);
  return { duration };
}

/** `until 18:04 (in 10m)`: when a sanction of that term would end, for people to see before it is imposed. */
export function termEnd({ duration, endAt }: Term, now: Date): string {
  const end = endAt ?? (duration === undefined ? null : new Date(now.getTime() + duration * 1_000).toISOString());
  return end === null ? 'until revoked' : `until ${momentOf(end, now)}`;
}

/** The same of what is typed so far; null: it is no term yet. */
export function typedEnd(typed: string, now: Date): string | null {
  try {
    return termEnd(parseTerm(typed), now);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}
