/** Describes the prior sanctions of a person in one line. */
import type { Sanction } from '../../contract/moderation/sanction-record.js';
import { relative } from '../../terminal/shown-times.js';
import { harmless } from '../../text/printable.js';
import { authorOf } from '../names/moderators.js';

/** `2 temp_ban, 1 mute; the last was temp_ban, 3d ago, "threats", by ann@example.com (expired)`; null: nothing. */
export function wordsOnBefore(
  before: readonly Sanction[],
  nameOf: (id: string | null) => string | null,
  now: Date,
): string | null {
  const [last] = before.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  if (last === undefined) return null;
  const reason = last.reason === null || last.reason === '' ? 'without a reason' : JSON.stringify(last.reason);
  const by = authorOf(last, nameOf);
  return `${countsOf(before)}; the last was ${last.type}, ${relative(last.createdAt, now)}, ${harmless(reason)}, by ${harmless(by)} (${last.status})`;
}

/** `2 temp_ban, 1 mute`. */
function countsOf(sanctions: readonly Sanction[]): string {
  const counts = new Map<string, number>();
  for (const { type } of sanctions) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${count} ${type}`).join(', ');
}
