/** What differs between a player before and after an event. */
import type { Player } from '../../../src/contract/gameplay/players.js';
import { textOf } from './text-of.js';

export interface Moved {
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

/** Progress by what it is of, as people read it. */
function standOf({ challenges, battlePasses, leaderboards }: Player): ReadonlyMap<string, string> {
  return new Map([
    ...challenges.map(({ name, counter, goal, state }) => [textOf(name), `${counter} / ${goal}, ${state}`] as const),
    ...battlePasses.flatMap(({ name, levels }) =>
      levels.flatMap(({ position, challenges: of }) =>
        of.map(
          (one) =>
            [`${textOf(name)} ${position}: ${textOf(one.name)}`, `${one.counter} / ${one.goal}, ${one.state}`] as const,
        ),
      ),
    ),
    ...leaderboards.map(({ name, rank, score }) => [textOf(name), `#${rank}, ${score}`] as const),
  ]);
}

export function movedBetween(before: Player, after: Player): readonly Moved[] {
  const from = standOf(before);
  return [...standOf(after)]
    .filter(([what, to]) => from.get(what) !== to)
    .map(([what, to]) => ({ what, from: from.get(what) ?? '–', to }));
}
