/** Hints: what to type after a refusal, beside what the daemon says about it. */
const hints = new WeakMap<Error, string>();

/** Remembers what is to be printed under the message of the error. */
export function withHint<E extends Error>(error: E, text: string): E {
  hints.set(error, text);
  return error;
}

export const hintOf = (error: unknown): string | null => (error instanceof Error ? (hints.get(error) ?? null) : null);
