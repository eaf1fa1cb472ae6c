/**
 * Replaces lone surrogates in text that people wrote by U+FFFD. Half an emoji is what a game leaves that cuts a name or a
 * message to a length: the sender means no harm, and a message that is refused is one that no rule and no moderator sees.
 */
import { z } from 'zod';

const replaceable = (value: unknown): value is string => typeof value === 'string' && !value.isWellFormed();

/** The value with mended text where the schema takes any; ids and free data are left as they are. Changes objects in place. */
export function mendText(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodString)
    return replaceable(value) && schema.safeParse(value).success ? value.toWellFormed() : value;
  if (typeof value !== 'object' || value === null) return isWrapper(schema) ? mendText(schema.unwrap(), value) : value;
  if (schema instanceof z.ZodObject) {
    for (const [name, field] of Object.entries(schema.shape))
      if (Object.hasOwn(value, name)) Reflect.set(value, name, mendText(field, Reflect.get(value, name)));
  } else if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, item] of value.entries()) value[index] = mendText(schema.element, item);
  } else if (schema instanceof z.ZodUnion) {
    for (const option of schema.options) mendText(option, value);
  } else if (schema instanceof z.ZodPipe) return mendText(schema.in, value);
  else if (isWrapper(schema)) return mendText(schema.unwrap(), value);
  return value;
}

const isWrapper = (schema: unknown): schema is z.ZodOptional | z.ZodNullable | z.ZodDefault =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
