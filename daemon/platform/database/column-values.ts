/** Values as columns hold them, and as the API shows them. */
import { timeText } from '../time-text.js';

/** The value of a closed list that a column holds; null for anything else. */
export const oneOf = <T extends string>(values: readonly T[], text: string | null): T | null =>
  values.find((value) => value === text) ?? null;

/** ISO 8601 in UTC. */
export const timeOrNull = (time: Date | null | undefined): string | null =>
  time === null || time === undefined ? null : timeText(time);

/** What a column of JSON holds; the type of the row's reader says what that is. */
export const jsonOrNull = (text: string | null) => (text === null ? null : JSON.parse(text));

export const jsonTextOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);
