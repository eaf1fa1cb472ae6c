/** Configuration that has a name in several languages: its text in one of them, and pages of it. */
import type { PageInfo, PageQuery } from '../../../../src/contract/common.js';
import { type LocalisedText, type NamedPageQuery, textOf } from '../../../../src/contract/gameplay/localised-text.js';
import { textIn as textInLanguage } from '../../../../src/contract/language.js';
import { isPartOf } from '../../../../src/text/fold.js';

/** Text in the language, else in English, else in any; "pt-BR" falls back to "pt". */
export const textIn = (texts: LocalisedText, language: string): string =>
  textInLanguage(texts, language) ?? textOf(texts);

interface NamedRows<Row> {
  page(page: PageQuery): Promise<Row[]>;
  count(): Promise<number>;
  /** How many a project has at most: few enough to read all of them for a search. */
  readonly most: number;
}

export async function namedPage<Row extends { readonly name: LocalisedText }>(
  { search, ...page }: NamedPageQuery,
  { page: read, count, most }: NamedRows<Row>,
): Promise<{ rows: Row[]; info: PageInfo }> {
  const { limit, offset, after } = page;
  if (search === undefined) return { rows: await read(page), info: { total: await count(), limit, offset } };
  const all = await read({ limit: most, offset: 0, after });
  const found = all.filter(({ name }) => Object.values(name).some((text) => isPartOf(search, text)));
  return { rows: found.slice(offset, offset + limit), info: { total: found.length, limit, offset } };
}
