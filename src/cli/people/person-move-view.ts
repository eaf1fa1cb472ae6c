/** Shows what moves with a person to another external user id, and the conflicts. */
import type { MoveConflict, MovedCounts, PersonMove } from '../../contract/people/person-moves.js';
import { harmless } from '../../text/printable.js';
import { personWords } from './person-words.js';

const some = (count: number, one: string, more = `${one}s`): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : more}`];

/** `2 sanctions (1 active), 1 note, 14 messages`. */
export function movedCounts(moved: MovedCounts): string {
  const [sanctions] = some(moved.sanctions, 'sanction');
  const parts = [
    ...(sanctions === undefined ? [] : [`${sanctions} (${moved.activeSanctions} active)`]),
    ...some(moved.reviews, 'review'),
    ...some(moved.notes, 'note'),
    ...some(moved.messages, 'message'),
    ...some(moved.gatherings, 'seat in a gathering', 'seats in gatherings'),
    ...some(moved.invitations, 'invitation'),
    ...some(moved.challenges, 'challenge'),
    ...some(moved.battlePasses, 'battle pass', 'battle passes'),
    ...some(moved.leaderboards, 'place on a leaderboard', 'places on leaderboards'),
    ...some(moved.gameEvents, 'game event'),
  ];
  return parts.length === 0 ? 'only the person, nothing else is known' : parts.join(', ');
}

/** Before the move. Whoever has no other name is called by the new id after it. */
export const movedName = ({ participant: { displayName }, from, to }: PersonMove): string =>
  displayName === to ? from : displayName;

export function moveView(move: PersonMove & { readonly conflicts?: readonly MoveConflict[] }): string {
  const { from, to, joined, moved } = move;
  const name = movedName(move);
  const whose = name === from ? '' : `${name}: `;
  const lines = [`${whose}${from} -> ${to}`, movedCounts(moved)];
  if (joined !== null) lines.push(`is merged with ${personWords(joined.displayName, joined.externalUserId)}`);
  for (const { field, kept, dropped } of move.differing)
    lines.push(`keeps ${field} ${JSON.stringify(kept)}, and not ${JSON.stringify(dropped)}`);
  for (const { resourceId, message } of move.conflicts ?? [])
    lines.push(`prevents the move: ${message} (${resourceId})`);
  return lines.map(harmless).join('\n');
}
