/** How sure the recogniser was of a message, and what was wrong with the sound, in a few words. */
import type { Message } from '../contract/sessions/sessions.js';
import { signalProblems } from './signal-problems.js';

/**
 * `62 %`, `41 % (echo, clipped)`, `unheard: low_confidence (12 %, quiet)`; empty for what was written and where the recogniser does not say, as in events that
 * older daemons logged.
 */
export function confidenceLabel({ asr }: Pick<Message, 'asr'>): string {
  const [confidence, unheard] = [asr?.confidence ?? null, asr?.unheard ?? null];
  const share = confidence === null ? [] : [`${Math.round(confidence * 100)} %`];
  const [first, rest] = unheard === null ? [share, []] : [[`unheard: ${unheard}`], share];
  const more = [...rest, ...signalProblems({ asr })].join(', ');
  return [...first, ...(more === '' ? [] : [`(${more})`])].join(' ');
}
