/** The time as the contract has it; undefined: it is none, such as in a year of six digits as browsers have it. */
export const isoTime = (date: Date): string | undefined =>
  Number.isNaN(date.getTime()) ? undefined : date.toISOString();
