/** Settings of the plugin `toxicity`. */
import { z } from 'zod';
import { Language } from '../../../../../src/contract/language.js';
import { nothingIn } from '../../../../platform/text/dead-entry.js';
import { entryOf } from '../../../../platform/text/reader.js';

export const toxicityCategories = ['insult', 'profanity', 'slur', 'sexual', 'harassment'] as const;
export type ToxicityCategory = (typeof toxicityCategories)[number];

const listMax = 500;
const languagesMax = 10;
const termCharactersMax = 100;
/** Every word of a message may be the first of every term. */
const termWordsMax = 6;
const Term = z
  .string()
  .trim()
  .min(1)
  .max(termCharactersMax)
  .regex(new RegExp(`^\\S+(\\s+\\S+){0,${termWordsMax - 1}}$`, 'u'), `has up to ${termWordsMax} words`)
  .refine((term) => entryOf(term) !== null, { error: ({ input }) => nothingIn(String(input)) });

export const ToxicitySettings = z.object({
  categories: z
    .array(z.enum(toxicityCategories))
    .max(toxicityCategories.length)
    .default([...toxicityCategories])
    .describe('Categories to look for; the words of the project always are'),
  threshold: z.number().min(0).max(1).default(0.5).describe('Lowest score that is annotated'),
  words: z.array(Term).max(listMax).default([]).describe('Words and phrases that the project does not want'),
  wordsIn: z
    .record(Language, z.array(Term).max(listMax))
    .refine((lists) => Object.keys(lists).length <= languagesMax, `has at most ${languagesMax} languages`)
    .default({})
    .describe('Words of the project by language: {"de": ["…"]}; read in lines of that language, or of an unknown one'),
  allow: z.array(Term).max(listMax).default([]).describe('Words and phrases that are never annotated'),
});
export type ToxicitySettings = z.infer<typeof ToxicitySettings>;
