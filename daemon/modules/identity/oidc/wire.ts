/** How providers write the fields of their answers, where they stray from the documents. */
import { z } from 'zod';

/** Some providers write an absent field as null. */
export const absentOr = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined);

/** Seconds, which some providers write as text. */
export const seconds = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,15}(\.\d+)?$/)
    .transform(Number),
]);

/** Some providers write booleans as text, or as 1 and 0. */
export const flag = z.union([
  z.boolean(),
  z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }),
  z.literal([0, 1]).transform((bit) => bit === 1),
]);

export const withoutSlash = (url: string): string => url.replace(/\/$/, '');
