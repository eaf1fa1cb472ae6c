import { signalProblems } from '../../../src/client/signal-problems.js';
import type { Message } from '../../../src/contract/sessions/sessions.js';
import { useWords } from '../words/words.js';

const percent = (share: number): string => `${Math.round(share * 100)} %`;

interface ConfidenceProps extends Pick<Message, 'asr'> {
  readonly language?: string | null;
  readonly shadowMuted?: boolean;
}

/**
 * In which language a line was said, how sure the recogniser was of it, and why plugins and rules did not read it; and that
 * others neither heard nor saw it.
 */
export function Confidence({ asr, language = null, shadowMuted = false }: ConfidenceProps) {
  const words = useWords();
  return (
    <>
      {shadowMuted && <span className="badge warn">{words.shadowMuted}</span>}
      {asr !== null && language !== null && <span className="badge">{language}</span>}
      <Certainty asr={asr} />
    </>
  );
}

/** Nothing where the recogniser does not say. The tooltip has each word, and what else the line may have been. */
function Certainty({ asr }: Pick<Message, 'asr'>) {
  const words = useWords();
  const problems = signalProblems({ asr }).map((problem) => words.signal[problem]);
  if (asr === null || (asr.confidence === null && asr.unheard === null && problems.length === 0)) return null;
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
      {[...reason, ...share, ...problems].join(', ')}
    </span>
  );
}
