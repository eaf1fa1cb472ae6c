/** Numbers as people type them. */

/** Digits alone, with a sign and a fraction: of `1e3`, `0x10` and `1,5` nobody knows what was meant. null: anything else. */
export const numberOf = (typed: string): number | null => (/^-?\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : null);
