/** Languages of texts, and text by language. */
import { z } from 'zod';

export const Language = z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/, 'write a language as en or pt-BR');

/** `pt` for `pt-BR`. */
export const withoutRegion = (language: string): string => language.split('-')[0] ?? language;

/** The text in that language, `pt` for `pt-BR` included; undefined: there is none. */
export const textIn = <Text>(texts: Readonly<Record<string, Text>>, language: string): Text | undefined => {
  const own = (name: string) => (Object.hasOwn(texts, name) ? texts[name] : undefined);
  return own(language) ?? own(withoutRegion(language));
};
