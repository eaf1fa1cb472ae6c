/** The health of a receiver: 410 disables its subscription at once, five days of failures only do too. */
import type { SubscriptionRow } from '../subscription-store.js';
import type { AttemptOutcome } from './attempt.js';
import { failingMs } from './limits.js';

export const goneStatus = 410;

type SubscriptionHealth = Pick<SubscriptionRow, 'enabled' | 'disabledAt' | 'disabledReason' | 'failingSince'>;

/** The subscription's health after an attempt; the same object when nothing changes. */
export function healthAfter<H extends SubscriptionHealth>(
  before: H,
  { error, statusCode }: AttemptOutcome,
  now: Date,
): H {
  if (error === null) return before.failingSince === null ? before : { ...before, failingSince: null };
  const failingSince = before.failingSince ?? now;
  const reason =
    statusCode === goneStatus ? 'gone' : now.getTime() - failingSince.getTime() >= failingMs ? 'failing' : null;
  if (reason !== null && before.enabled)
    return { ...before, failingSince, enabled: false, disabledAt: now, disabledReason: reason };
  return before.failingSince === null ? { ...before, failingSince } : before;
}
