/** Values as columns hold them, and as the API shows them. */
import type { z } from 'zod';

/** The value of a closed list that a column holds; null for anything else. */
export const oneOf = <T extends string>(values: readonly T[], text: string | null): T | null =>
  values.find((value) => value === text) ?? null;

/** ISO 8601 in UTC. */
export const timeOrNull = (time: Date | null | undefined): string | null =>
  time === null || time === undefined ? null : time.toISOString();

/** A whole number from a column of 64 bits. */
export const numberOrNull = (value: bigint | number | null | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);

/** From ISO 8601; null where there is none. */
export const dateOrNull = (text: string | null | undefined): Date | null =>
  text === null || text === undefined ? null : new Date(text);

/** Reads columns of JSON of this shape. */
export const jsonOf =
  <Schema extends z.ZodType>(schema: Schema) =>
  (text: string): z.output<Schema> =>
    schema.parse(JSON.parse(text));

/** Parses a column of JSON; the type of the row's reader says what that is. */
export const jsonOrNull = (text: string | null) => (text === null ? null : JSON.parse(text));

export const jsonTextOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

/** A row as services hand it to a store: its columns of JSON are values. */
export type WithValues<Row, Values> = Omit<Row, keyof Values> & Values;

type AsText<Fields, Name> = {
  [Key in keyof Fields]: Key extends Name ? string | Extract<Fields[Key], null | undefined> : Fields[Key];
};

/** The fields as columns hold them: those of these names as JSON. What is left out stays so, and null stays null. */
export function withJson<Fields extends object, Name extends keyof Fields>(
  fields: Fields,
  ...names: Name[]
): AsText<Fields, Name> {
  const there = names.filter((name) => fields[name] !== undefined);
  const texts = Object.fromEntries(there.map((name) => [name, jsonTextOrNull(fields[name])]));
  return { ...fields, ...texts } as AsText<Fields, Name>;
}
