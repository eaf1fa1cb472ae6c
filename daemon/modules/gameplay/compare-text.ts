/** The order in which rows are locked and written: by code units, the same on every daemon. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
