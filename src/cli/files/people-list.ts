/** Lists of people: a name or id in each line, or CSV or JSON with a column that has them, such as `participants list --csv`. */
import type { ListRow, ListShape } from '../../files/list-rows.js';
import { UsageError } from '../../terminal/usage-error.js';

/** `ignoresRest`: without a header, the first column is meant. */
export const peopleShape = (ignoresRest: boolean): ListShape => ({
  fields: {
    externalUserId: ['externaluserid', 'userid', 'user', 'player', 'playerid'],
    participantId: ['participantid', 'participant', 'id'],
    displayName: ['displayname', 'name', 'person'],
  },
  ids: ['externalUserId', 'participantId'],
  other: () => null,
  withoutHeader: ['externalUserId'],
  ignoresRest,
  within: ['participants', 'members', 'items'],
  example: '{"externalUserId":"u_42"}',
});

/** The person of a row, by the surest of its columns. Throws UsageError. */
export function personIn({ externalUserId, participantId, displayName }: ListRow['fields']): string {
  const named = externalUserId ?? participantId ?? displayName;
  if (typeof named !== 'string' || named.trim() === '') throw new UsageError('names nobody.');
  return named;
}
