/** How sure the recogniser was of a message, in a few words. */
import type { Message } from '../contract/sessions/sessions.js';

/** `62 %`, `unheard: low_confidence (12 %)`; empty for what was written and where the recogniser does not say. */
export function confidenceLabel({ asr }: Pick<Message, 'asr'>): string {
  if (asr === null) return '';
  const share = asr.confidence === null ? '' : `${Math.round(asr.confidence * 100)} %`;
  if (asr.unheard === null) return share;
  return `unheard: ${asr.unheard}${share === '' ? '' : ` (${share})`}`;
}
