/** Pages of configuration that has a name in several languages, searched by it. */
import type { PageInfo, PageQuery } from '../../../src/contract/common.js';
import type { LocalisedText, NamedPageQuery } from '../../../src/contract/gameplay/localised-text.js';
import { isPartOf } from '../../../src/text/fold.js';

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
