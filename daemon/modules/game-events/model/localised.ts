/** Configuration that has a name in several languages: its text in one of them, and pages of it. */
import type { PageInfo, PageQuery } from '../../../../src/contract/common.js';
import { type LocalisedText, type NamedPageQuery, textOf } from '../../../../src/contract/gameplay/localised-text.js';
import { ownValue } from '../../../../src/names/own-value.js';
import { isPartOf } from '../../../../src/text/fold.js';

/** Text in the language, else in English, else in any; "pt-BR" falls back to "pt". */
export const textIn = (texts: LocalisedText, language: string): string =>
  ownValue(texts, language) ?? ownValue(texts, language.split('-')[0] ?? '') ?? textOf(texts);

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
  if (search === undefined) {
    const rows = await read(page);
    return { rows, info: { total: await count(), ...page } };
  }
  const all = await read({ limit: most, offset: 0 });
  const found = all.filter(({ name }) => Object.values(name).some((text) => isPartOf(search, text)));
  return { rows: found.slice(page.offset, page.offset + page.limit), info: { total: found.length, ...page } };
}
