/** Result of a simulation: how many players reach what, and when. The same seed makes the same report. Pure. */

import { type LocalisedText, textOf } from '../../../src/contract/gameplay/localised-text.js';
import type { SeasonFile } from '../../../src/contract/gameplay/season-file.js';
import { minuteMs } from '../../platform/time/spans.js';
import type { Achievement, Achievements } from './achievements.js';
import type { SeasonObjects } from './season-objects.js';
import type { SimulatedPlayer } from './simulated-player.js';

/** Minutes of the first, the middle and the last of those who reached it. */
interface Spread {
  readonly first: number;
  readonly median: number;
  readonly last: number;
}

export interface ReachedReport {
  readonly key: string;
  readonly name: string;
  readonly reached: number;
  /** Share of all players, 0 to 1. */
  readonly share: number;
  /** Share of each kind of player, 0 to 1, in their order. */
  readonly shareByKind: readonly number[];
  /** Minutes that they had played; null: nobody reached it. */
  readonly afterMinutes: Spread | null;
  /** Day of the season, from 1. */
  readonly onDay: Spread | null;
  /** Share of all players who had reached it, at equal distances from the start to the end of the simulation. */
  readonly overTime: readonly number[];
}

interface BoardReport {
  readonly key: string;
  /** Users on it in the period at the end. */
  readonly members: number;
  readonly best: number | null;
  readonly median: number | null;
}

export interface SeasonReport {
  readonly players: number;
  readonly kinds: readonly { readonly name: string; readonly players: number }[];
  readonly minutes: number | null;
  readonly days: number | null;
  readonly seed: number;
  readonly sessions: number;
  readonly events: number;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly battlePasses: readonly {
    readonly key: string;
    readonly name: string;
    readonly levels: readonly ReachedReport[];
  }[];
  readonly challenges: readonly ReachedReport[];
  readonly leaderboards: readonly BoardReport[];
}

interface Played extends Pick<SeasonReport, 'minutes' | 'days' | 'seed' | 'sessions' | 'events'> {
  readonly start: Date;
  readonly lastMinute: number;
  readonly boards: readonly BoardReport[];
}

const minutesPerDay = 1_440;
const pointsOverTime = 40;
const digits = 4;

const round = (value: number): number => Number(value.toFixed(digits));
/** As the file states it: a bare text is English. */
const nameOf = (name: string | LocalisedText): string => (typeof name === 'string' ? name : textOf(name));

const spread = (values: readonly number[]): Spread | null => {
  const sorted = [...values].sort((a, b) => a - b);
  const [first, median, last] = [sorted[0], sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)];
  return first === undefined || median === undefined || last === undefined ? null : { first, median, last };
};

export function seasonReport(
  file: SeasonFile,
  played: Played,
  everybody: readonly SimulatedPlayer[],
  objects: SeasonObjects,
  achieved: Achievements,
): SeasonReport {
  const { start, lastMinute, boards, ...totals } = played;
  const playersOf = (kind: SeasonFile['players'][number]) => everybody.filter((player) => player.kind === kind).length;
  const reached = (key: string, name: string, by: readonly Achievement[]): ReachedReport => ({
    key,
    name,
    reached: by.length,
    share: round(by.length / everybody.length),
    shareByKind: file.players.map((kind) =>
      round(by.filter(({ player }) => player.kind === kind).length / Math.max(1, playersOf(kind))),
    ),
    afterMinutes: spread(by.map((one) => one.played)),
    onDay: spread(by.map(({ minute }) => Math.floor(minute / minutesPerDay) + 1)),
    overTime: Array.from({ length: pointsOverTime }, (_, point) => {
      const until = (lastMinute * (point + 1)) / pointsOverTime;
      return round(by.filter(({ minute }) => minute <= until).length / everybody.length);
    }),
  });
  return {
    players: everybody.length,
    kinds: file.players.map((kind) => ({ name: kind.name, players: playersOf(kind) })),
    ...totals,
    startsAt: start.toISOString(),
    endsAt: new Date(start.getTime() + lastMinute * minuteMs).toISOString(),
    battlePasses: file.battlePasses.map(({ key, name, levels }) => ({
      key,
      name: nameOf(name),
      levels: levels.map((level) =>
        reached(level.key, level.key, achieved.achievementsOf(objects.ofLevel(key, level.key))),
      ),
    })),
    challenges: file.challenges.map(({ key, name }) =>
      reached(key, nameOf(name), achieved.achievementsOf(objects.ofChallenge(key))),
    ),
    leaderboards: boards,
  };
}
