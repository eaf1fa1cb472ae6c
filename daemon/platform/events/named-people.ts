/**
 * Tells whom events, deliveries and stored answers name: by the fields that hold people's ids, and by nothing else. An id
 * may be an ordinary word, which stands for something else everywhere else.
 */

/** As the interface spells these fields, and as services are likely to, in events of their own. */
const personField =
  /(?:user|player|member|participant|person|owner|speaker|sender)(?:_?ids?|s)?$|^(?:movedFrom|exempt|namesakes)$/i;
/** Kinds of resources, and of audit targets, whose id is that of a person. */
const personKinds: ReadonlySet<string> = new Set(['person', 'participant', 'player', 'user', 'member', 'block']);

/** Lists of people's ids whose name says so only beside another field: in a rebuild, and in the answer about a notice. */
const listsBeside: ReadonlyMap<string, string> = new Map([
  ['excluded', 'leaderboardId'],
  ['unknown', 'notified'],
]);

type Ids = Pick<ReadonlySet<string>, 'has'>;

const isOneOf = (value: unknown, ids: Ids): boolean => typeof value === 'string' && ids.has(value);

/** The id of a person in a resource's name, `kind:id`; null: it is about something else. */
export function personIn(resourceId: string): string | null {
  const colon = resourceId.indexOf(':');
  return personKinds.has(resourceId.slice(0, colon)) ? resourceId.slice(colon + 1) : null;
}

/** True if a field that holds people's ids, at any depth of parsed JSON, holds one of these. */
export function namesPerson(value: unknown, ids: Ids): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((one) => namesPerson(one, ids));
  const { kind, id, memberType } = value as { readonly [Name in 'kind' | 'id' | 'memberType']?: unknown };
  if (typeof kind === 'string' && personKinds.has(kind) && isOneOf(id, ids)) return true;
  return Object.entries(value).some(([field, inner]) => {
    if (field === 'resourceId' && typeof inner === 'string') return isOneOf(personIn(inner), ids);
    const beside = listsBeside.get(field);
    const isList = beside !== undefined && Object.hasOwn(value, beside);
    const isOfGroup = field === 'memberId' && memberType !== undefined && memberType !== 'user';
    if (
      (personField.test(field) || isList) &&
      !isOfGroup &&
      [inner].flat().some((one) => isOneOf(one, ids) || isOneOf(idOf(one), ids))
    )
      return true;
    return namesPerson(inner, ids);
  });
}

const idOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (value as { readonly id?: unknown }).id : undefined;
