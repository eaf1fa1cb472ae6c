/**
 * Takes the ids of a person and of a room by each of their names. A game sends the same id to several operations, and these
 * spell it in several ways; the documents name one of them for each operation.
 */
import { z } from 'zod';

const groups = [
  ['externalUserId', 'userId', 'user_id'],
  ['externalRoomId', 'roomId'],
] as const;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value with the names that the schema has, items of lists included. Two names at once stay: one of them is unknown. */
export function underOwnNames(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodOptional) return underOwnNames(schema.unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => underOwnNames(schema.element, item));
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return value;
  let renamed = value;
  for (const group of groups) {
    const own = group.find((name) => Object.hasOwn(schema.shape, name));
    const given = group.find((name) => Object.hasOwn(value, name));
    if (own === undefined || given === undefined || Object.hasOwn(schema.shape, given)) continue;
    const { [given]: id, ...others } = renamed;
    if (!Object.hasOwn(others, own)) renamed = { ...others, [own]: id };
  }
  for (const [name, field] of Object.entries(schema.shape)) {
    const list = Object.hasOwn(renamed, name) ? renamed[name] : undefined;
    if (Array.isArray(list)) renamed = { ...renamed, [name]: underOwnNames(field, list) };
  }
  return renamed;
}
