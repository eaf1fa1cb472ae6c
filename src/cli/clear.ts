/** `--clear FIELD`: sends null in a PATCH, for fields that can be empty. */
import { Flags, type Interfaces } from '@oclif/core';
import type { z } from 'zod';

const clearable = (schema: z.ZodObject): string[] =>
  Object.entries(schema.shape)
    .filter(([, type]) => (type as z.ZodType).safeParse(null).success)
    .map(([name]) => name);

export const clearFlag = (schema: z.ZodObject): Interfaces.FlagInput => ({
  clear: Flags.string({ description: 'Field to empty', multiple: true, options: clearable(schema) }),
});

export const cleared = (flags: Readonly<Record<string, unknown>>): Record<string, null> =>
  Object.fromEntries(Array.isArray(flags.clear) ? flags.clear.map((name) => [String(name), null]) : []);
