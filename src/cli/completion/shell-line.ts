/** A line that is being typed into bash or zsh, up to the cursor: its words, and how the last one goes on. */

interface TypedLine {
  /** Without quotes; the last one is being typed, and may be empty. */
  readonly words: readonly string[];
  /** The quotation mark that the last word is in; '' where it is in none. */
  readonly quote: '' | '"' | "'";
  /** The last word as it was typed. */
  readonly raw: string;
}

export function typedLine(line: string): TypedLine {
  const words: string[] = [];
  let [word, raw, quote, started]: [string, string, TypedLine['quote'], boolean] = ['', '', '', false];
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (quote === '' && /\s/.test(char)) {
      if (started) words.push(word);
      [word, raw, started] = ['', '', false];
      continue;
    }
    raw += char;
    started = true;
    if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === '\\' && quote !== "'" && at + 1 < line.length) {
      at += 1;
      raw += line.charAt(at);
      word += line.charAt(at);
    } else word += char;
  }
  return { words: [...words, word], quote, raw };
}

/** Characters that bash reads as something else. */
const special = /[^\w@%+=:,./-]/g;

/**
 * The text by which bash replaces the word. It breaks words at `breaks` too (`:` and `=`), and then replaces what lies
 * behind the last of them alone.
 */
export function forBash(candidate: string, { quote, raw }: TypedLine, breaks: string): string {
  if (quote !== '') return quote === "'" ? candidate : candidate.replaceAll(/(["\\$`])/g, '\\$1');
  const written = candidate.replaceAll(special, '\\$&');
  const kept = Math.max(...[...breaks].filter((one) => ':='.includes(one)).map((one) => raw.lastIndexOf(one)), -1) + 1;
  return written.slice(kept);
}
