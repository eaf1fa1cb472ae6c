/** The value of a closed list that a column holds; null for anything else. */
export const oneOf = <T extends string>(values: readonly T[], text: string | null): T | null =>
  values.find((value) => value === text) ?? null;
