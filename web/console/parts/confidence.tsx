import type { Message } from '../../../src/contract/sessions/sessions.js';
import { useWords } from '../words/words.js';

/** How sure the recogniser was of a line, and why plugins and rules did not read it; nothing where it does not say. */
export function Confidence({ asr }: Pick<Message, 'asr'>) {
  const words = useWords();
  if (asr === null || (asr.confidence === null && asr.unheard === null)) return null;
  const share = asr.confidence === null ? [] : [`${Math.round(asr.confidence * 100)} %`];
  const reason = asr.unheard === null ? [] : [words.unheard[asr.unheard]];
  return <span className={asr.unheard === null ? 'badge' : 'badge warn'}>{[...reason, ...share].join(', ')}</span>;
}
