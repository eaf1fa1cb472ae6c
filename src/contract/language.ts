/** Languages of texts, and text by language. */
import { z } from 'zod';
import { ownValue } from '../names/own-value.js';

export const Language = z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/, 'write a language as en or pt-BR');

/** The text in that language, `pt` for `pt-BR` included; undefined: there is none. */
export const textIn = <Text>(texts: Readonly<Record<string, Text>>, language: string): Text | undefined =>
  ownValue(texts, language) ?? ownValue(texts, language.split('-')[0] ?? '');
