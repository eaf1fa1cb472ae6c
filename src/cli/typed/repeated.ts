/** How flags are spelt that may be given more than once. */

/** `--scopes a,b` or `--scopes a --scopes b`. It takes one word at a time: the next is an argument of the command. */
export const repeated = { multiple: true, multipleNonGreedy: true, delimiter: ',' } as const;

/** As `repeated`, for values that have commas of their own: one at a time only. */
export const repeatedWhole = { multiple: true, multipleNonGreedy: true } as const;
