/**
 * A player that a simulation makes up: when they play, and what they send while they do. Times are minutes of the
 * season.
 */
import { findGameEvent, propertyType } from '../../../src/contract/gameplay/game-events.js';
import type { SeasonFile } from '../../../src/contract/gameplay/season-file.js';
import type { SeasonPlayerValue } from '../../../src/contract/gameplay/season-players.js';
import { chanceOf, howOften, oneOf, type Random, seedOf, wholeBetween } from './chance.js';

type PlayerKind = SeasonFile['players'][number];
type Properties = Readonly<Record<string, SeasonPlayerValue>>;

/** Event that a simulated player sends; the engine reads it as it reads what games send. */
export interface SimulatedEvent {
  readonly user_id: string;
  readonly event_name: string;
  readonly event_type: 'single';
  readonly session_id: string;
  readonly meta_data: Readonly<Record<string, number | string>>;
}

const minutesPerDay = 1_440;
/** Players of a kind differ: half of this more or less skill. */
const skillSpread = 0.4;

const average = (chance: Random, mean: number): number => mean * (0.5 + chance());

const pick = (chance: Random, value: SeasonPlayerValue): number | string => {
  if (Array.isArray(value)) return oneOf(chance, value) ?? '';
  return typeof value === 'object' ? wholeBetween(chance, value.from, value.to) : value;
};

export class SimulatedPlayer {
  /** Minutes played so far. */
  played = 0;
  /** Minute at which the next session begins; infinite: they do not play any more. */
  nextSession: number;
  sessions = 0;
  /** Minutes that are left of the session. */
  left = 0;
  private readonly chance: Random;
  private readonly pace: number;

  constructor(
    readonly userId: string,
    readonly kind: PlayerKind,
    seed: number,
    index: number,
  ) {
    this.chance = chanceOf(seedOf(seed, index));
    const skill = Math.min(1, Math.max(0, kind.skill + (this.chance() - 0.5) * skillSpread));
    // A skill of 0.5 plays at the pace of the file, a beginner at half of it, an expert half as fast again.
    this.pace = 0.5 + skill;
    const plays = kind.sessionsPerDay > 0 && kind.minutesPerSession > 0;
    this.nextSession = plays
      ? Math.floor((this.chance() * minutesPerDay) / kind.sessionsPerDay)
      : Number.POSITIVE_INFINITY;
  }

  /** `minutesMax`: longer they may not play. */
  beginSession(minutesMax: number): void {
    const { sessionsPerDay, minutesPerSession } = this.kind;
    this.left = Math.min(minutesMax, Math.max(1, Math.round(average(this.chance, minutesPerSession))));
    this.sessions += 1;
    const pause = Math.round(average(this.chance, minutesPerDay / sessionsPerDay));
    this.nextSession += Math.max(this.left + 1, pause);
  }

  /** Returns the events that the player sends in one minute. */
  minute(): SimulatedEvent[] {
    this.left -= 1;
    this.played += 1;
    return Object.entries(this.kind.events).flatMap(([name, how]) => {
      const count = how === undefined ? 0 : howOften(this.chance, how.perMinute * this.pace);
      return Array.from({ length: count }, () => this.event(name, how?.properties ?? {}));
    });
  }

  private event(name: string, properties: Properties): SimulatedEvent {
    const meta_data: Record<string, number | string> = {};
    for (const property of findGameEvent(name)?.required ?? [])
      if (!Object.hasOwn(properties, property))
        meta_data[property] = propertyType(property) === 'number' ? 1 : property;
    for (const property in properties) {
      const value = properties[property];
      if (value !== undefined) meta_data[property] = pick(this.chance, value);
    }
    const session_id = `session-${this.sessions}`;
    return { user_id: this.userId, event_name: name, event_type: 'single', session_id, meta_data };
  }
}

/** As many of each kind as its share says; what rounding leaves goes to the largest remainders. */
export function playersOf(kinds: readonly PlayerKind[], count: number, seed: number): SimulatedPlayer[] {
  const shares = kinds.reduce((sum, { share }) => sum + share, 0);
  const exact = kinds.map((kind) => ({ kind, players: (count * kind.share) / shares }));
  const left = count - exact.reduce((sum, { players }) => sum + Math.floor(players), 0);
  const favoured = new Set([...exact].sort((a, b) => (b.players % 1) - (a.players % 1)).slice(0, left));
  const chosen = exact.flatMap((one) => {
    const length = Math.floor(one.players) + (favoured.has(one) ? 1 : 0);
    return Array.from({ length }, () => one.kind);
  });
  return chosen.map((kind, index) => new SimulatedPlayer(`player-${index + 1}`, kind, seed, index));
}
