/** Words the end of a sanction, the same wherever one is shown. */
import { momentOf } from '../../terminal/shown-times.js';

const untilRevoked = 'until revoked';

interface SanctionEnd {
  readonly endAt: string | null;
  readonly sessionId?: string | null;
}

/** `written`: how the screen shows a time. */
export function endOf({ endAt, sessionId = null }: SanctionEnd, written: (endAt: string) => string): string {
  if (endAt !== null) return written(endAt);
  return sessionId === null ? untilRevoked : 'until the session ends';
}

/** `until 18:04 (in 24m)`. */
export const untilWhen = (sanction: SanctionEnd, now: Date): string =>
  endOf(sanction, (endAt) => `until ${momentOf(endAt, now)}`);
