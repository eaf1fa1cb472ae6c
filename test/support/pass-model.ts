/**
 * Reference model of battle passes, written from docs/gameplay.md and the interface documents alone. A player's passes
 * stand beside their single challenges, because two challenges in progress must not count one event in two ways.
 */
import { type ChallengeRules, ModelPlayer, minuteMs, type PlayEvent, shown } from './play-model.js';

export interface LevelChallengeRules
  extends Pick<ChallengeRules, 'eventName' | 'goalCondition' | 'durationMinutes' | 'counting'> {
  goal: number;
}

export interface LevelRules {
  /** True if the level has a reward on the premium track. */
  readonly hasReward: boolean;
  readonly challenges: LevelChallengeRules[];
}

export class ModelPass {
  /** Deleted; it can be restored. */
  isHidden = false;

  constructor(
    readonly isInOrder: boolean,
    private readonly startsAt: number | null,
    public endsAt: number | null,
    readonly levels: readonly LevelRules[],
  ) {}

  hasEnded = (now: number): boolean => this.endsAt !== null && this.endsAt <= now;
  isRunning = (now: number): boolean =>
    !this.isHidden && (this.startsAt === null || this.startsAt <= now) && !this.hasEnded(now);

  /** True if a time that ends then wins a challenge to stay below its goal. */
  includes = (at: number): boolean =>
    (this.startsAt === null || this.startsAt <= at) && (this.endsAt === null || at <= this.endsAt);
}

interface Counted {
  state: 'unlock' | 'in-progress' | 'overtime' | 'finished';
  counter: bigint;
  session: string | null;
  endsAt: number;
}
const notBegun: Counted = { state: 'unlock', counter: 0n, session: null, endsAt: Number.POSITIVE_INFINITY };

/** A level that was activated. */
interface Level {
  isCompleted: boolean;
  isClaimed: boolean;
  isPremiumClaimed: boolean;
}

/** A pass that was unlocked. */
class Progress {
  hasPremium = false;
  readonly levels = new Map<LevelRules, Level>();
  private readonly counted = new Map<LevelChallengeRules, Counted>();

  of(rules: LevelChallengeRules): Counted {
    const found = this.counted.get(rules) ?? { ...notBegun };
    this.counted.set(rules, found);
    return found;
  }

  isCompleted = (level: LevelRules): boolean => this.levels.get(level)?.isCompleted === true;
}

type Counting = Pick<ChallengeRules, 'eventName' | 'counting'>;
const conflict = (one: Counting, other: Counting): boolean =>
  one.eventName === other.eventName && one.counting !== other.counting;

/** The battle passes and the single challenges of one player. */
export class ModelPassPlayer {
  readonly singles: ModelPlayer;
  readonly passes = new Map<ModelPass, Progress>();
  /** Levels whose reward was claimed, as often as that was announced. */
  readonly claims: { readonly level: LevelRules; readonly track: 'free' | 'premium' }[] = [];

  constructor(singles: readonly ChallengeRules[]) {
    this.singles = new ModelPlayer(singles, (now) => this.levelsInProgress(now));
  }

  /** True once anything is known of the player. */
  get hasBegun(): boolean {
    return this.passes.size > 0 || this.singles.hasBegunAny;
  }

  /** All actions return `ok`, or the code of the refusal. */
  unlock(pass: ModelPass, isPaid: boolean, now: number): string {
    if (pass.isHidden) return 'battle_pass_not_found';
    if (this.passes.has(pass) || pass.hasEnded(now)) return 'action_not_possible';
    const progress = new Progress();
    progress.hasPremium = isPaid;
    this.passes.set(pass, progress);
    return 'ok';
  }

  grantPremium(pass: ModelPass): string {
    if (pass.isHidden) return 'battle_pass_not_found';
    const progress = this.passes.get(pass);
    if (progress === undefined || progress.hasPremium) return 'action_not_possible';
    progress.hasPremium = true;
    return 'ok';
  }

  reset(pass: ModelPass): string {
    if (pass.isHidden) return 'battle_pass_not_found';
    return this.passes.delete(pass) ? 'ok' : 'action_not_possible';
  }

  activate(pass: ModelPass, level: LevelRules, now: number): string {
    if (pass.isHidden) return 'battle_pass_level_not_found';
    const progress = this.passes.get(pass);
    if (progress === undefined || !pass.isRunning(now) || progress.isCompleted(level)) return 'action_not_possible';
    const isActivated = progress.levels.has(level);
    const beginning = level.challenges.filter((one) => !isActivated || progress.of(one).state === 'overtime');
    const before = pass.levels.slice(0, pass.levels.indexOf(level));
    const isNext = isActivated || !pass.isInOrder || before.every(progress.isCompleted);
    if (!isNext || (isActivated && beginning.length === 0)) return 'action_not_possible';
    if (beginning.some((one) => this.conflicts(one, now))) return 'counting_conflict';
    this.begin(progress, level, beginning, now);
    this.advance(pass, now);
    return 'ok';
  }

  claim(pass: ModelPass, level: LevelRules): string {
    if (pass.isHidden) return 'battle_pass_level_not_found';
    const progress = this.passes.get(pass);
    const own = progress?.levels.get(level);
    if (progress === undefined || own === undefined || !own.isCompleted) return 'action_not_possible';
    const before = this.claims.length;
    if (!own.isClaimed) this.claims.push({ level, track: 'free' });
    if (this.mayClaimPremium(progress, level)) {
      this.claims.push({ level, track: 'premium' });
      own.isPremiumClaimed = true;
    }
    own.isClaimed = true;
    return this.claims.length > before ? 'ok' : 'action_not_possible';
  }

  /** What an operator sets or adds. */
  setProgress(pass: ModelPass, rules: LevelChallengeRules, counterOf: (before: bigint) => bigint, now: number): string {
    if (pass.isHidden) return 'challenge_not_found';
    const own = this.passes.get(pass)?.of(rules);
    if (own?.state !== 'in-progress' || !pass.isRunning(now)) return 'action_not_possible';
    const counter = counterOf(own.counter);
    // Nobody loses by hand what is won by staying below the goal.
    if (rules.goalCondition === 1 && counter >= BigInt(rules.goal)) return 'action_not_possible';
    own.counter = counter;
    this.judge(own, rules);
    this.advance(pass, now);
    return 'ok';
  }

  send(event: PlayEvent, now: number): void {
    this.singles.send(event, now);
    for (const [pass, progress] of this.passes) {
      if (!pass.isRunning(now)) continue;
      const counting = pass.levels
        .flatMap(({ challenges }) => challenges)
        .filter((one) => one.eventName === event.name && progress.of(one).state === 'in-progress');
      for (const rules of counting) this.count(progress.of(rules), rules, event);
      if (counting.some((one) => progress.of(one).state === 'finished')) this.advance(pass, now);
    }
  }

  /** What the time has done, and what follows by itself once the levels of the player are read. */
  read(now: number): void {
    for (const [pass, progress] of this.passes) {
      if (pass.isHidden) continue;
      for (const rules of pass.levels.flatMap(({ challenges }) => challenges)) {
        const own = progress.of(rules);
        if (own.state !== 'in-progress' || own.endsAt > now) continue;
        own.state = rules.goalCondition === 1 && pass.includes(own.endsAt) ? 'finished' : 'overtime';
      }
      this.advance(pass, now);
    }
  }

  /** What is shown of a pass; null: the player has not unlocked it. */
  seen(pass: ModelPass, now: number) {
    const progress = this.passes.get(pass);
    if (progress === undefined) return null;
    const levels = pass.levels.map((level) => ({
      isActivated: progress.levels.has(level),
      ...(progress.levels.get(level) ?? { isCompleted: false, isClaimed: false, isPremiumClaimed: false }),
      challenges: level.challenges.map((rules) => {
        const { state, counter } = progress.of(rules);
        return `${state === 'in-progress' && pass.hasEnded(now) ? 'overtime' : state} ${shown(counter)}`;
      }),
    }));
    return { hasPremium: progress.hasPremium, isCompleted: levels.every((one) => one.isCompleted), levels };
  }

  /** True if nothing is left to claim of a level on the tracks of the player. */
  hasClaimedAll(pass: ModelPass, level: LevelRules): boolean {
    const progress = this.passes.get(pass);
    return progress?.levels.get(level)?.isClaimed === true && !this.mayClaimPremium(progress, level);
  }

  /** State and counter of a challenge of a level, as somebody knows it who follows the messages. */
  told(pass: ModelPass, rules: LevelChallengeRules): string {
    const { state, counter } = this.passes.get(pass)?.of(rules) ?? notBegun;
    return `${state} ${shown(counter)}`;
  }

  /** True if two challenges in progress count one event in two ways. */
  contradicts(now: number, other: ModelPassPlayer = this): boolean {
    const theirs = other.inProgress(now);
    return this.inProgress(now).some((one) => theirs.some((another) => conflict(one, another)));
  }

  /** Becomes one with another player, unless both have done something in one challenge or pass. */
  join(other: ModelPassPlayer, now: number): string {
    const bothHave = [...other.passes.keys()].some((pass) => this.passes.has(pass));
    if (bothHave || this.singles.sharesWith(other.singles) || this.contradicts(now, other))
      return 'person_move_conflict';
    for (const [pass, progress] of other.passes) this.passes.set(pass, progress);
    this.singles.takeOver(other.singles);
    return 'ok';
  }

  private mayClaimPremium(progress: Progress, level: LevelRules): boolean {
    return progress.hasPremium && level.hasReward && progress.levels.get(level)?.isPremiumClaimed === false;
  }

  private count(own: Counted, rules: LevelChallengeRules, { type, session, amount }: PlayEvent): void {
    const restarts = rules.counting === 'per-session' && own.session !== null && own.session !== session;
    own.counter = (type === 'group' || restarts ? 0n : own.counter) + BigInt(amount);
    own.session = session;
    this.judge(own, rules);
  }

  private judge(own: Counted, { goal, goalCondition }: LevelChallengeRules): void {
    if (shown(own.counter) >= goal) own.state = goalCondition === 1 ? 'overtime' : 'finished';
  }

  /** Completes levels, and begins what follows: the next level of a pass in order, and challenges that were added. */
  private advance(pass: ModelPass, now: number): void {
    const progress = this.passes.get(pass);
    if (progress === undefined) return;
    for (const [index, level] of pass.levels.entries()) {
      const follows = pass.isInOrder && index > 0 && pass.levels.slice(0, index).every(progress.isCompleted);
      const added = level.challenges.filter((one) => progress.of(one).state === 'unlock');
      const free = added.filter((one) => !this.conflicts(one, now));
      if (pass.isRunning(now) && !progress.isCompleted(level)) {
        if (progress.levels.has(level)) this.begin(progress, level, free, now);
        else if (follows && free.length === added.length) this.begin(progress, level, added, now);
      }
      const own = progress.levels.get(level);
      if (own !== undefined && level.challenges.every((one) => progress.of(one).state === 'finished'))
        own.isCompleted = true;
    }
  }

  private begin(progress: Progress, level: LevelRules, beginning: readonly LevelChallengeRules[], now: number): void {
    for (const one of beginning) {
      const endsAt = one.durationMinutes === null ? notBegun.endsAt : now + one.durationMinutes * minuteMs;
      Object.assign(progress.of(one), { ...notBegun, state: 'in-progress', endsAt });
    }
    if (!progress.levels.has(level))
      progress.levels.set(level, { isCompleted: false, isClaimed: false, isPremiumClaimed: false });
  }

  private conflicts(rules: Counting, now: number): boolean {
    return this.inProgress(now).some((other) => conflict(rules, other));
  }

  private inProgress = (now: number): Counting[] => [...this.levelsInProgress(now), ...this.singles.inProgress(now)];

  private levelsInProgress(now: number): Counting[] {
    return [...this.passes].flatMap(([pass, progress]) =>
      pass.levels
        .flatMap(({ challenges }) => challenges)
        .filter((one) => pass.isRunning(now) && progress.of(one).state === 'in-progress'),
    );
  }
}
