/** `--clear FIELD`: sends null in a PATCH, for fields that can be empty. */
import * as Flags from '@oclif/core/flags';
import type { z } from 'zod';
import { repeated } from './repeated.js';

export const clearable = (schema: z.ZodObject): string[] =>
  Object.entries(schema.shape)
    .filter(([, type]) => (type as z.ZodType).safeParse(null).success)
    .map(([name]) => name);

export const clearFlag = (schema: z.ZodObject) => ({
  clear: Flags.string({ description: 'Field to empty', ...repeated, options: clearable(schema) }),
});

export const cleared = ({ clear = [] }: { readonly clear?: readonly string[] | undefined }): Record<string, null> =>
  Object.fromEntries(clear.map((name) => [name, null]));
