/** Text that players read, in their languages. */
import { z } from 'zod';

const language = z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/, 'write a language as en or pt-BR');
export const Texts = z.record(language, z.string().min(1).max(1000)).meta({ id: 'LocalisedText' });
export type LocalisedText = z.infer<typeof Texts>;

/** Text by language; a bare text is English. */
export const TextsInput = z.union([
  z
    .string()
    .trim()
    .min(1)
    .max(1000)
    .transform((en): LocalisedText => ({ en })),
  Texts.refine((texts) => Object.keys(texts).length > 0, 'give at least one language'),
]);
