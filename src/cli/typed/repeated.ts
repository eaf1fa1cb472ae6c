/** Options of flags that may be given more than once. */

/** `--scopes a,b` or `--scopes a --scopes b`. It takes one word at a time: the next is an argument of the command. */
export const repeated = { multiple: true, multipleNonGreedy: true, delimiter: ',' } as const;

/** Options of repeatable flags whose values may contain commas: one value at a time. */
export const repeatedWhole = { multiple: true, multipleNonGreedy: true } as const;
