import type { Message } from '../../../src/contract/sessions/sessions.js';
import { useWords } from '../words/words.js';

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/**
 * How sure the recogniser was of a line, and why plugins and rules did not read it; nothing where it does not say. The
 * tooltip has each word, and what else the line may have been.
 */
export function Confidence({ asr }: Pick<Message, 'asr'>) {
  const words = useWords();
  if (asr === null || (asr.confidence === null && asr.unheard === null)) return null;
  const share = asr.confidence === null ? [] : [percent(asr.confidence)];
  const reason = asr.unheard === null ? [] : [words.unheard[asr.unheard]];
  const each = asr.words.flatMap(({ text, confidence }) =>
    confidence === null ? [] : [`${text} ${percent(confidence)}`],
  );
  const others = asr.alternatives.map(({ text }) => `~ ${text}`);
  return (
    <span
      className={asr.unheard === null ? 'badge' : 'badge warn'}
      title={[each.join(', '), ...others].join('\n').trim()}
    >
      {[...reason, ...share].join(', ')}
    </span>
  );
}
