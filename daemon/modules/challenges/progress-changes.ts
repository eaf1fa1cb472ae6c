/**
 * Works out how players' challenges and battle passes change within one transaction: one step after the other, each
 * with the steps that follow from it. Pure; the caller reads before and stores after.
 */
import type { RewardTrack } from '../../../src/contract/gameplay/player-battle-passes.js';
import type { PlayerKey } from '../game-events/model/player.js';
import type { LevelDefinition, PassDefinition } from './battle-passes/definitions.js';
import type { PassesOfPlayers, PassKey, PlayerLevel } from './battle-passes/progress-store.js';
import {
  activateLevel,
  advance,
  claimable,
  claimTracks,
  type LevelProgress,
  type PassMove,
  type PassProgress,
} from './battle-passes/rules.js';
import { ByChallenge } from './by-challenge.js';
import { conflicts, settle } from './counted-challenges.js';
import type { CountedDefinition, ProjectChallenges } from './definitions.js';
import type { PlayerChallengeKey, PlayerChallengeRow } from './player-challenge-store.js';
import { type Progress, type Step, untouched } from './rules.js';

/** A step of one player, to be announced. */
export interface TakenStep {
  readonly userId: string;
  readonly definition: CountedDefinition;
  readonly step: Step;
  /** Why an operator took it; left out: play did. */
  readonly reason?: string;
}

export type Definitions = ReadonlyMap<string, ProjectChallenges>;

interface ChangedChallenge {
  readonly row: PlayerChallengeRow;
  /** More than the counter has changed. */
  readonly more: boolean;
}

export const noPasses: PassesOfPlayers = { passes: [], levels: [], challenges: [] };

const passTextOf = ({ projectId, userId, battlePassId }: PassKey): string => `${projectId}\n${battlePassId}\n${userId}`;
const levelTextOf = ({ projectId, userId }: PassKey, levelId: string): string => `${projectId}\n${levelId}\n${userId}`;

/** True if a step is visible; a step that only stores a session is not. */
const shows = ({ from, announced }: Step): boolean =>
  from.state !== announced.state ||
  from.counter !== announced.counter ||
  (from.activatedAt === null) !== (announced.activatedAt === null);

/** True if nothing but the counter and its session differ; such a challenge is in progress, and stored. */
const onlyCounts = ({ from, to }: Step): boolean =>
  from.state === 'in-progress' &&
  to.state === 'in-progress' &&
  from.unlockedAt === to.unlockedAt &&
  from.activatedAt === to.activatedAt &&
  from.endsAt === to.endsAt &&
  from.periodEndsAt === to.periodEndsAt &&
  from.otherRounds === to.otherRounds &&
  from.claimedAt === to.claimedAt;

const byChallenge = (rows: readonly PlayerChallengeRow[]): ByChallenge<PlayerChallengeRow> => {
  const found = new ByChallenge<PlayerChallengeRow>();
  for (const row of rows) found.set(row, row);
  return found;
};

export class ProgressChanges {
  readonly steps: TakenStep[] = [];
  /** Passes that a player may move on in, and that were not among those handed in. */
  readonly missing = new Map<string, PassKey>();
  private readonly current: ByChallenge<PlayerChallengeRow>;
  /** Known but not counted, because they are not locked. */
  private readonly others: ByChallenge<PlayerChallengeRow>;
  private readonly passes: ReadonlySet<string>;
  private readonly ofLevels: Map<string, PlayerLevel>;
  private readonly changedChallenges = new ByChallenge<ChangedChallenge>();
  private readonly changedLevels = new Set<string>();

  /** @param rows challenges of players that may be changed */
  constructor(
    private readonly definitions: Definitions,
    rows: readonly PlayerChallengeRow[],
    { passes, levels, challenges }: PassesOfPlayers,
    private readonly now: Date,
  ) {
    this.current = byChallenge(rows);
    this.others = byChallenge(challenges);
    this.passes = new Set(passes.map(passTextOf));
    this.ofLevels = new Map(levels.map((level) => [levelTextOf(level, level.levelId), level]));
  }

  /** Challenges of which more than the counter has changed. */
  get challenges(): PlayerChallengeRow[] {
    return this.changed(true);
  }

  /** Challenges of which only the counter and its session have changed. */
  get counters(): PlayerChallengeRow[] {
    return this.changed(false);
  }

  get levels(): PlayerLevel[] {
    return [...this.ofLevels].filter(([text]) => this.changedLevels.has(text)).map(([, level]) => level);
  }

  get isEmpty(): boolean {
    return this.changedChallenges.values().length === 0 && this.changedLevels.size === 0;
  }

  /** null: none that may be counted. */
  countable(key: Omit<PlayerChallengeKey, 'projectId'>): Progress | null {
    return this.current.get(key)?.progress ?? null;
  }

  progressOf(key: PlayerChallengeKey): Progress {
    return (this.current.get(key) ?? this.others.get(key))?.progress ?? untouched;
  }

  levelOf(key: PassKey, levelId: string): LevelProgress | null {
    return this.ofLevels.get(levelTextOf(key, levelId))?.progress ?? null;
  }

  /**
   * `reason`: why an operator takes the steps. `at`: when they happened, where that was before now; what follows from them
   * happened then, too.
   */
  add(
    definition: CountedDefinition,
    { projectId, userId }: PlayerKey,
    steps: readonly Step[],
    { reason, at = this.now }: { readonly reason?: string; readonly at?: Date } = {},
  ): void {
    const why = reason === undefined ? {} : { reason };
    const { id: challengeId } = definition.challenge;
    const key = { projectId, userId, challengeId };
    let more = this.changedChallenges.get(key)?.more === true;
    for (const step of steps) {
      if (shows(step)) this.steps.push({ userId, definition, step, ...why });
      more ||= !onlyCounts(step);
    }
    const last = steps.at(-1);
    if (last === undefined) return;
    const row = { projectId, userId, challengeId, progress: last.to };
    this.current.set(key, row);
    this.changedChallenges.set(key, { row, more });
    if (definition.kind === 'level' && last.to.state === 'finished')
      this.advance(definition.level.pass, { projectId, userId }, at);
  }

  /** Applies expired times to the player's pass, and the steps that follow from them. */
  settlePass(pass: PassDefinition, player: PlayerKey): void {
    for (const { challenges } of pass.levels)
      for (const definition of challenges) {
        const from = this.progressOf({ ...player, challengeId: definition.challenge.id });
        this.add(definition, player, settle(definition, from, this.now));
      }
    this.advance(pass, player, this.now);
  }

  /** null: not possible. */
  activate(level: LevelDefinition, player: PlayerKey): PassMove | null {
    const move = activateLevel(level, this.inPass(level.pass, player), this.now);
    if (move === null) return null;
    this.apply(level.pass, player, move);
    this.advance(level.pass, player, this.now);
    return move;
  }

  /** Returns the tracks whose reward was claimed; none: not possible. */
  claim(definition: LevelDefinition, player: PlayerKey, hasPremium: boolean): RewardTrack[] {
    const { level, pass } = definition;
    const current = this.levelOf(keyOf(pass, player), level.id);
    const tracks = claimable(definition, current, hasPremium);
    if (current !== null && tracks.length > 0)
      this.setLevel(keyOf(pass, player), level.id, claimTracks(current, tracks, this.now));
    return tracks;
  }

  /** Takes the player back to before the pass was unlocked. */
  forget(pass: PassDefinition, player: PlayerKey): void {
    for (const { level, challenges } of pass.levels) {
      const text = levelTextOf(keyOf(pass, player), level.id);
      this.ofLevels.delete(text);
      this.changedLevels.delete(text);
      for (const definition of challenges) {
        const from = this.progressOf({ ...player, challengeId: definition.challenge.id });
        if (from.activatedAt !== null) this.add(definition, player, [{ from, to: untouched, announced: untouched }]);
      }
    }
  }

  /** True if another challenge of the player that is in progress counts the same event in the other way. */
  conflictsWith(definition: CountedDefinition, player: PlayerKey): boolean {
    const all = this.definitions.get(player.projectId);
    const progressOf = (challengeId: string) => this.progressOf({ ...player, challengeId });
    return all !== undefined && conflicts(definition, all, progressOf, this.now);
  }

  private advance(pass: PassDefinition, player: PlayerKey, at: Date): void {
    const key = keyOf(pass, player);
    const text = passTextOf(key);
    if (!this.passes.has(text)) {
      this.missing.set(text, key);
      return;
    }
    const mayBegin = (definition: CountedDefinition) => !this.conflictsWith(definition, player);
    this.apply(pass, player, advance(pass, this.inPass(pass, player), mayBegin, at));
  }

  inPass(pass: PassDefinition, player: PlayerKey): PassProgress {
    return {
      levelOf: (levelId: string) => this.levelOf(keyOf(pass, player), levelId),
      progressOf: (challengeId: string) => this.progressOf({ ...player, challengeId }),
    };
  }

  private apply(pass: PassDefinition, player: PlayerKey, { levels, steps }: PassMove): void {
    for (const [levelId, progress] of levels) this.setLevel(keyOf(pass, player), levelId, progress);
    for (const { definition, step } of steps) this.add(definition, player, [step]);
  }

  private changed(isMore: boolean): PlayerChallengeRow[] {
    return this.changedChallenges
      .values()
      .filter(({ more }) => more === isMore)
      .map(({ row }) => row);
  }

  private setLevel(key: PassKey, levelId: string, progress: LevelProgress): void {
    const text = levelTextOf(key, levelId);
    this.ofLevels.set(text, { ...key, levelId, progress });
    this.changedLevels.add(text);
  }
}

const keyOf = ({ battlePass }: PassDefinition, { projectId, userId }: PlayerKey): PassKey => ({
  projectId,
  userId,
  battlePassId: battlePass.id,
});
