/** The rules of battle passes (docs/gameplay.md), as plain as they get: no database, no events, every rule once. */

export const minuteMs = 60_000;

interface ChallengePlan {
  readonly event: 'kill-enemy' | 'earn-points';
  readonly goal: number;
  readonly stayBelow: boolean;
  readonly minutes: number | null;
}

export interface PassPlan {
  readonly inOrder: boolean;
  /** Minutes from the start of the run; null: no limit. */
  readonly from: number | null;
  readonly until: number | null;
  /** True for events whose counters another session restarts. */
  readonly perSession: Readonly<Record<ChallengePlan['event'], boolean>>;
  readonly levels: readonly (readonly ChallengePlan[])[];
}

export interface PlayedEvent {
  readonly event: ChallengePlan['event'];
  readonly amount: number;
  readonly sets: boolean;
  readonly session: string;
}

export type PassStep =
  | { readonly do: 'unlock'; readonly who: number }
  | { readonly do: 'reset'; readonly who: number }
  | { readonly do: 'activate' | 'claim'; readonly who: number; readonly level: number }
  | { readonly do: 'play'; readonly who: number; readonly events: readonly PlayedEvent[] }
  | { readonly do: 'wait'; readonly minutes: number };

interface Challenge {
  readonly plan: ChallengePlan;
  state: 'unlock' | 'in-progress' | 'overtime' | 'finished';
  counter: number;
  session: string | null;
  endsAt: number | null;
}

interface Level {
  readonly challenges: Challenge[];
  activated: boolean;
  completed: boolean;
  claimed: boolean;
}

interface Player {
  unlocked: boolean;
  levels: Level[];
}

const nothingDone = ({ levels }: PassPlan): Player => ({
  unlocked: false,
  levels: levels.map((challenges) => ({
    challenges: challenges.map((plan) => ({ plan, state: 'unlock', counter: 0, session: null, endsAt: null })),
    activated: false,
    completed: false,
    claimed: false,
  })),
});

export class PassModel {
  private readonly players: Player[];
  private now: number;
  readonly claims: number[] = [];

  constructor(
    readonly plan: PassPlan,
    private readonly start: number,
    people: number,
  ) {
    this.now = start;
    this.players = Array.from({ length: people }, () => nothingDone(plan));
  }

  /** `ok`, or the code of the refusal. */
  do(step: PassStep): string {
    if (step.do === 'wait') {
      this.now += step.minutes * minuteMs;
      for (const player of this.players) this.settle(player);
      return 'ok';
    }
    const player = this.player(step.who);
    const done = step.do === 'play' ? this.play(player, step.events) : this.act(player, step);
    return done ? 'ok' : 'action_not_possible';
  }

  seen(who: number) {
    const over = this.now >= this.end;
    return this.player(who).levels.map(({ activated, completed, claimed, challenges }) => ({
      ...{ activated, completed, claimed },
      challenges: challenges.map(({ state, counter }) => [
        over && state === 'in-progress' ? 'overtime' : state,
        counter,
      ]),
    }));
  }

  /** Returns the states that somebody knows who follows the messages. */
  told(who: number) {
    return this.player(who).levels.map(({ challenges }) => challenges.map(({ state, counter }) => [state, counter]));
  }

  private act(player: Player, step: Exclude<PassStep, { do: 'play' | 'wait' }>): boolean {
    if (step.do === 'unlock') {
      if (player.unlocked || this.now >= this.end) return false;
      player.unlocked = true;
      return true;
    }
    if (!player.unlocked) return false;
    if (step.do === 'reset') {
      Object.assign(player, nothingDone(this.plan));
      return true;
    }
    const level = player.levels[step.level];
    if (level === undefined) return false;
    if (step.do === 'activate') return this.activate(player, level, step.level);
    if (!level.completed || level.claimed) return false;
    level.claimed = true;
    this.claims.push(step.who);
    return true;
  }

  private activate(player: Player, level: Level, index: number): boolean {
    if (!this.running || level.completed) return false;
    const ranOut = level.challenges.filter(({ state }) => state === 'overtime');
    if (level.activated && ranOut.length === 0) return false;
    const before = player.levels.slice(0, index);
    if (!level.activated && this.plan.inOrder && !before.every(({ completed }) => completed)) return false;
    for (const challenge of level.activated ? ranOut : level.challenges) this.begin(challenge);
    level.activated = true;
    this.advance(player);
    return true;
  }

  private play(player: Player, events: readonly PlayedEvent[]): boolean {
    for (const event of events) {
      if (!this.running) continue;
      const counting = player.levels
        .flatMap(({ challenges }) => challenges)
        .filter(({ state, plan }) => state === 'in-progress' && plan.event === event.event);
      for (const challenge of counting) this.count(challenge, event);
      this.advance(player);
    }
    return true;
  }

  private count(challenge: Challenge, { event, amount, sets, session }: PlayedEvent): void {
    const restarts = this.plan.perSession[event] && challenge.session !== null && challenge.session !== session;
    const before = restarts ? 0 : challenge.counter;
    challenge.counter = sets ? amount : before + amount;
    challenge.session = session;
    if (challenge.counter >= challenge.plan.goal) challenge.state = challenge.plan.stayBelow ? 'overtime' : 'finished';
  }

  private settle(player: Player): void {
    for (const challenge of player.levels.flatMap(({ challenges }) => challenges)) {
      const { state, endsAt, plan } = challenge;
      if (state !== 'in-progress' || endsAt === null || endsAt > this.now) continue;
      challenge.state = plan.stayBelow && endsAt <= this.end ? 'finished' : 'overtime';
    }
    this.advance(player);
  }

  private advance(player: Player): void {
    player.levels.forEach((level, index) => {
      const before = player.levels.slice(0, index);
      const follows = this.plan.inOrder && index > 0 && before.every(({ completed }) => completed);
      if (!level.activated && follows && this.running) {
        level.activated = true;
        for (const challenge of level.challenges) this.begin(challenge);
      }
      if (level.activated && level.challenges.every(({ state }) => state === 'finished')) level.completed = true;
    });
  }

  private begin(challenge: Challenge): void {
    const { minutes } = challenge.plan;
    const endsAt = minutes === null ? null : this.now + minutes * minuteMs;
    Object.assign(challenge, { state: 'in-progress', counter: 0, session: null, endsAt });
  }

  private get end(): number {
    return this.plan.until === null ? Number.POSITIVE_INFINITY : this.start + this.plan.until * minuteMs;
  }

  private get running(): boolean {
    return this.now >= this.start + (this.plan.from ?? 0) * minuteMs && this.now < this.end;
  }

  private player(who: number): Player {
    const player = this.players[who];
    if (player === undefined) throw new Error('There is no such player.');
    return player;
  }
}
