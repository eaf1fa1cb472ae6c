/**
 * Plays a season: made-up players do what game clients do, through the same services, on a clock that moves from minute to
 * minute. The seed decides everything that happens. Minutes in which nobody plays are left out.
 */
import { DomainError } from '../../../src/contract/errors.js';
import type { SeasonFile } from '../../../src/contract/gameplay/season-file.js';
import { minuteMs } from '../../platform/time/spans.js';
import { type Achievement, Achievements } from './achievements.js';
import { type SeasonReport, seasonReport } from './report.js';
import { configure, type SeasonObjects } from './season-objects.js';
import type { SimulatedEngine } from './simulated-engine.js';
import { playersOf, type SimulatedEvent, type SimulatedPlayer } from './simulated-player.js';

interface SimulationRequest {
  readonly file: SeasonFile;
  readonly projectId: string;
  readonly players: number;
  /** Minutes of play of each player; null: no limit. */
  readonly minutes: number | null;
  /** Length in days of the season; null: until its end, or as long as somebody has minutes left. */
  readonly days: number | null;
  readonly seed: number;
}

/** Moved by the simulation alone; everything of the engine reads it. */
export interface SimulatedTime {
  now: Date;
}

export interface SimulationProgress {
  readonly day: number;
  readonly events: number;
  /** Progress of the simulation, 0 to 1. */
  readonly share: number;
}

const minutesPerDay = 1_440;
/** A client looks for what is new at the start and the end of a session, and each time after so many minutes. */
const lookEveryMinutes = 10;
const eventsAtOnce = 2_000;
/** Start of seasons that state none. */
const anyStart = Date.UTC(2027, 0, 1);
/** How long before its first end such a season begins at the latest. */
const beforeEndMs = 30 * minutesPerDay * minuteMs;

const timesOf = (texts: readonly (string | null | undefined)[]): number[] =>
  texts.flatMap((text) => (text === null || text === undefined ? [] : [Date.parse(text)]));

/** When a season begins: with the first of its objects that states when it begins. */
export function startOf({ battlePasses, challenges, leaderboards }: SeasonFile): Date {
  const starts = timesOf([
    ...battlePasses.map(({ startDate }) => startDate),
    ...challenges.map(({ liveDate }) => liveDate),
    ...leaderboards.map(({ startDate }) => startDate),
  ]);
  if (starts.length > 0) return new Date(Math.min(...starts));
  const ends = timesOf(battlePasses.map(({ endDate }) => endDate));
  return new Date(Math.min(anyStart, ...ends.map((end) => end - beforeEndMs)));
}

/** Minute of the season at which it ends by its own dates; infinite: a pass has no end. */
function endOf({ battlePasses }: SeasonFile, start: Date): number {
  const ends = battlePasses.map(({ endDate }) => endDate ?? null);
  if (ends.length === 0 || ends.includes(null)) return Number.POSITIVE_INFINITY;
  return Math.floor((Math.max(...timesOf(ends)) - start.getTime()) / minuteMs);
}

export class Simulation {
  private readonly start: Date;
  private readonly endMinute: number;
  private readonly minutesMax: number;
  private readonly everybody: SimulatedPlayer[];
  /** Players who do not play now, by the minute in which they begin. */
  private readonly waiting = new Map<number, SimulatedPlayer[]>();
  private minute = 0;
  /** Minutes, of all players together. */
  private played = 0;
  private events = 0;

  constructor(
    private readonly engine: SimulatedEngine,
    private readonly time: SimulatedTime,
    private readonly request: SimulationRequest,
    private readonly onProgress: (progress: SimulationProgress) => void = () => {},
  ) {
    const { file, players, seed, minutes, days } = request;
    this.start = startOf(file);
    this.endMinute = Math.min(endOf(file, this.start), days === null ? Number.POSITIVE_INFINITY : days * minutesPerDay);
    this.minutesMax = minutes ?? Number.POSITIVE_INFINITY;
    this.everybody = playersOf(file.players, players, seed);
  }

  /** Throws what configuring the season refuses. */
  async run(): Promise<SeasonReport> {
    this.setTime(0);
    const { file, projectId } = this.request;
    const objects = await configure(this.engine.seasons, projectId, file);
    const achieved = new Achievements();
    let active: SimulatedPlayer[] = [];
    for (const player of this.everybody) this.wait(player);
    while (active.length > 0 || this.waiting.size > 0) {
      this.setTime(active.length > 0 ? this.minute + 1 : [...this.waiting.keys()].reduce((a, b) => Math.min(a, b)));
      const starting = this.waiting.get(this.minute) ?? [];
      this.waiting.delete(this.minute);
      for (const player of starting) {
        player.beginSession(Math.min(this.minutesMax - player.played, this.endMinute - this.minute));
        await this.noteAchievements(player, achieved);
      }
      active.push(...starting);
      await this.send(active.flatMap((player) => player.minute()));
      this.played += active.length;
      for (const player of active)
        if (player.left <= 0 || player.played % lookEveryMinutes === 0) await this.noteAchievements(player, achieved);
      for (const player of active) if (player.left <= 0) this.wait(player);
      active = active.filter(({ left }) => left > 0);
      this.onProgress({ day: this.day, events: this.events, share: this.share });
    }
    return this.report(objects, achieved);
  }

  private get day(): number {
    return Math.floor(this.minute / minutesPerDay) + 1;
  }

  /** It ends with the season, or when everybody has played their minutes. */
  private get share(): number {
    return Math.min(1, Math.max(this.minute / this.endMinute, this.played / (this.minutesMax * this.everybody.length)));
  }

  private setTime(minute: number): void {
    this.minute = minute;
    this.time.now = new Date(this.start.getTime() + minute * minuteMs);
  }

  /** A player's next session begins in a later minute, because their sessions do not overlap. */
  private wait(player: SimulatedPlayer): void {
    const { nextSession, played } = player;
    if (nextSession >= this.endMinute || played >= this.minutesMax) return;
    const others = this.waiting.get(nextSession);
    if (others === undefined) this.waiting.set(nextSession, [player]);
    else others.push(player);
  }

  private async send(events: readonly SimulatedEvent[]): Promise<void> {
    const { projectId } = this.request;
    const by = { tenantId: 'simulation', projectId, keyScope: 'simulation', playerId: null };
    for (let from = 0; from < events.length; from += eventsAtOnce) {
      await this.engine.intake.submitTogether(by, events.slice(from, from + eventsAtOnce));
    }
    this.events += events.length;
  }

  /**
   * Does what a client does when it shows its player the state of the game: begins whatever can begin, claims whatever
   * can be claimed.
   */
  private async noteAchievements(player: SimulatedPlayer, achieved: Achievements): Promise<void> {
    const key = { projectId: this.request.projectId, userId: player.userId };
    const now = { player, minute: this.minute, played: player.played };
    const { challenges } = await this.engine.challenges.list(key);
    for (const { definition, progress } of challenges) {
      const { id } = definition.challenge;
      const act = (action: 'unlock' | 'activate' | 'claim') =>
        possible(this.engine.challenges.act(key, id, action, () => null));
      if (progress.state === 'unclaimed' && (await act('claim'))) achieved.note(id, now);
      if (progress.state === 'unlock' && (await act('unlock'))) await act('activate');
      if (progress.state === 'unlocked') await act('activate');
    }
    await this.lookAtPasses(key, now, achieved);
  }

  private async lookAtPasses(
    key: { projectId: string; userId: string },
    now: Achievement,
    achieved: Achievements,
  ): Promise<void> {
    const { battlePasses } = this.engine;
    let seen = await battlePasses.read(key);
    let again = false;
    for (const pass of seen.all.passes.values())
      if (seen.unlockedPass(pass) === null)
        again = (await possible(battlePasses.unlock(key, pass.battlePass.id, unpaid))) || again;
    for (const pass of seen.all.passes.values())
      for (const { level, index } of pass.levels) {
        const isNew =
          seen.progressIn(pass).levelOf(level.id) === null && (index === 0 || !pass.isUnlockedIncrementally);
        if (isNew) again = (await possible(battlePasses.activateLevel(key, level.id))) || again;
      }
    if (again) seen = await battlePasses.read(key);
    for (const pass of seen.all.passes.values())
      for (const { level } of pass.levels) {
        const progress = seen.progressIn(pass).levelOf(level.id);
        if (progress?.completedAt == null || progress.claimedAt !== null) continue;
        const minute = Math.round((progress.completedAt.getTime() - this.start.getTime()) / minuteMs);
        const played = Math.max(0, now.played - (now.minute - minute));
        if (await possible(battlePasses.claimLevel(key, level.id))) achieved.note(level.id, { ...now, minute, played });
      }
  }

  private async report(objects: SeasonObjects, achieved: Achievements): Promise<SeasonReport> {
    const { file, seed, minutes, days, projectId } = this.request;
    const boards = [];
    for (const { key } of file.leaderboards) {
      const { rankings } = this.engine.boards;
      const definition = await rankings.find(projectId, objects.ofBoard(key));
      const of = { definition, period: await rankings.period(definition), memberType: 'user' } as const;
      const { places, total } = await rankings.page(of, 0, 1);
      const middle = total === 0 ? [] : (await rankings.page(of, Math.floor((total - 1) / 2), 1)).places;
      boards.push({ key, members: total, best: places[0]?.score ?? null, median: middle[0]?.score ?? null });
    }
    const played = { sessions: this.everybody.reduce((sum, { sessions }) => sum + sessions, 0), events: this.events };
    const span = { start: this.start, lastMinute: this.minute };
    return seasonReport(file, { ...played, ...span, seed, minutes, days, boards }, this.everybody, objects, achieved);
  }
}

const unpaid = { purchasePrice: null, purchaseCurrency: null };

/** Returns true if the engine carried the action out; a refusal by the rules is an answer, too. */
async function possible(action: Promise<unknown>): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    if (error instanceof DomainError && ['action_not_possible', 'counting_conflict'].includes(error.code)) return false;
    throw error;
  }
}
