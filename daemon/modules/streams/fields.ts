/** Chooses the fields of an event that a stream sends, so that a client on a small line gets what it shows and no more. */

/** Field → the fields within it; none: everything within it. */
type EventFields = ReadonlyMap<string, EventFields>;

export type Selection = (value: unknown) => unknown;

/** `fields` as the query has them: comma-separated, with a point between a field and the one within it. */
export function selectionOf(fields: string): Selection {
  const root = new Map<string, EventFields>();
  for (const path of fields.split(',')) add(root, path.trim().split('.'));
  return (value) => selected(value, root);
}

/** A field that is asked for whole stays whole, in whatever order the two are named. */
function add(fields: Map<string, EventFields>, [name = '', ...within]: readonly string[]): void {
  const known = fields.get(name);
  if (known?.size === 0) return;
  const inner = new Map(known);
  if (within.length === 0) inner.clear();
  else add(inner, within);
  fields.set(name, inner);
}

/** The fields of each entry of a list. A field that is not there is left out. */
function selected(value: unknown, fields: EventFields): unknown {
  if (fields.size === 0) return value;
  if (Array.isArray(value)) return value.map((one) => selected(one, fields));
  if (typeof value !== 'object' || value === null) return value;
  const there = Object.entries(value).filter(([name]) => fields.has(name));
  return Object.fromEntries(there.map(([name, inner]) => [name, selected(inner, fields.get(name) ?? new Map())]));
}
