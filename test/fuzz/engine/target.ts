/** A parser that strangers reach, as the fuzzer calls it. */
export interface FuzzTarget {
  /** Name of the target and of its folder in `test/fuzz/corpus`. */
  readonly name: string;
  /** Longest input in bytes that the parser is given in service; growth is measured up to it. */
  readonly maxBytes: number;
  /** The parser alone, with documented refusals caught: its time is measured. */
  readonly parse: (input: Buffer) => unknown;
  /** Throws when an answer of the parser breaks an invariant. A promise is awaited. */
  readonly check: (input: Buffer) => void | Promise<void>;
  /** Valid inputs to begin with. */
  readonly seeds: readonly (string | Uint8Array)[];
  /** Words of the format, put in by mutations. */
  readonly words: readonly (string | Uint8Array)[];
}

/** An invariant that does not hold. */
export class BrokenInvariant extends Error {
  override name = 'BrokenInvariant';
}

/** Throws BrokenInvariant unless the condition holds. */
export function hold(condition: boolean, sentence: string, ...values: readonly unknown[]): asserts condition {
  if (condition) return;
  const shown = values.map((value) => JSON.stringify(value, bigintsAsText)?.slice(0, 300));
  throw new BrokenInvariant([sentence, ...shown].join('\n  '));
}

const bigintsAsText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** Returns the work's answer, or null where it throws one of the documented refusals; throws what else it throws. */
export function unlessRefused<T>(work: () => T, ...refusals: readonly (new (...args: never[]) => Error)[]): T | null {
  try {
    return work();
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) return null;
    throw error;
  }
}
