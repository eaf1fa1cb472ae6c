/** Text that players read, in their languages. */
import { z } from 'zod';
import { PageQuery, searchQuery } from '../common.js';
import { Language } from '../language.js';

export const Texts = z.record(Language, z.string().min(1).max(1000)).meta({ id: 'LocalisedText' });
export type LocalisedText = z.infer<typeof Texts>;

/** Returns the text in English, else in any language that it has. */
export const textOf = (texts: LocalisedText): string => texts.en ?? Object.values(texts)[0] ?? '';

/** Text by language; a bare text is English. */
export const TextsInput = z
  .union([
    z
      .string()
      .trim()
      .min(1)
      .max(1000)
      .transform((en): LocalisedText => ({ en })),
    Texts.refine((texts) => Object.keys(texts).length > 0, 'give at least one language'),
  ])
  .meta({ id: 'TextOrLocalisedText' });

/** A page of what has such a name. */
export const NamedPageQuery = PageQuery.extend({ search: searchQuery('the name, in any language') });
export type NamedPageQuery = z.infer<typeof NamedPageQuery>;
