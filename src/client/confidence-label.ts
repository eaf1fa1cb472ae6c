/** How sure the recogniser was of a message, in a few words. */
import type { Message } from '../contract/sessions/sessions.js';

/**
 * `62 %`, `unheard: low_confidence (12 %)`; empty for what was written and where the recogniser does not say, as in events that
 * older daemons logged.
 */
export function confidenceLabel({ asr }: Pick<Message, 'asr'>): string {
  const [confidence, unheard] = [asr?.confidence ?? null, asr?.unheard ?? null];
  const share = confidence === null ? '' : `${Math.round(confidence * 100)} %`;
  if (unheard === null) return share;
  return `unheard: ${unheard}${share === '' ? '' : ` (${share})`}`;
}
