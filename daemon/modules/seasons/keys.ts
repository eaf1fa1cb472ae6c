/** Keys for objects that were made without one, out of their names. Pure. */

const lengthMax = 80;
/** Accents, once letters are taken apart. */
const marks = /\p{M}/gu;

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(marks, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, lengthMax)
    .replaceAll(/^-+|-+$/g, '');

/** The keys of one list: those that have one keep it; others get a free one, `-2` and on behind it where it is taken. */
export function keysFor<T extends { readonly id: string }>(
  list: readonly T[],
  stored: ReadonlyMap<string, string>,
  nameOf: (item: T) => string,
  otherwise: string,
): Map<string, string> {
  const taken = new Set(list.flatMap(({ id }) => stored.get(id) ?? []));
  return new Map(
    list.map((item) => {
      const known = stored.get(item.id);
      if (known !== undefined) return [item.id, known];
      const key = free(slugOf(nameOf(item)) || otherwise, taken);
      taken.add(key);
      return [item.id, key];
    }),
  );
}

function free(key: string, taken: ReadonlySet<string>): string {
  if (!taken.has(key)) return key;
  for (let number = 2; ; number += 1) if (!taken.has(`${key}-${number}`)) return `${key}-${number}`;
}
