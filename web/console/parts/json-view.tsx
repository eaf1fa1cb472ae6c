import { useWords } from '../words/words.js';
import { Copying } from './copy.js';
import './parts.css';

/** A value as indented JSON, to read and to copy. */
export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  const words = useWords();
  const text = JSON.stringify(value, null, 2);
  return (
    <div className="json">
      <Copying value={text} label={words.copyJson} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard */}
      <section aria-label={label} tabIndex={0}>
        <pre>{text}</pre>
      </section>
    </div>
  );
}
