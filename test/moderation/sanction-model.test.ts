/** Sanctions against a plain model of them, with a clock that goes on and jumps, on both databases. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionTypes } from '../../src/contract/moderation/sanction-kinds.js';
import type { SanctionType } from '../../src/contract/moderation/sanction-record.js';
import type { CreateSanctionRequest } from '../../src/contract/moderation/sanctions.js';
import { databases, type TestDatabase } from '../support/database.js';
import { type ModerationBench, moderator, openModeration } from '../support/moderation.js';
import { scale } from '../support/scale.js';

const runs = scale(4, 5_000);
const stepsMax = scale(25, 100);
const patienceMs = scale(120_000, 3_600_000);

const start = new Date('2026-01-01T00:00:00.000Z');
const people = ['ann', 'ben'];

/** State of one sanction. */
interface Known {
  readonly id: string;
  readonly person: string;
  readonly type: SanctionType;
  readonly startAt: number;
  begun: boolean;
  endAt: number | null;
  expired: boolean;
  revoked: boolean;
}
interface Model {
  nowMs: number;
  readonly sanctions: Known[];
}

const status = (one: Known, { nowMs }: Model) => {
  if (one.revoked) return 'revoked';
  return one.expired || (one.endAt !== null && one.endAt <= nowMs) ? 'expired' : 'active';
};
const inForce = (one: Known, model: Model) =>
  status(one, model) === 'active' && (one.begun || one.startAt <= model.nowMs);
const isRefused = (type: SanctionType, seconds: number | null) =>
  (type === 'temp_ban' && seconds === null) || (type === 'perm_ban' && seconds !== null);

type Step = fc.AsyncCommand<Model, ModerationBench>;

class Issue implements Step {
  constructor(
    private readonly person: string,
    private readonly type: SanctionType,
    private readonly seconds: number | null,
    private readonly delaySeconds: number,
  ) {}
  check = () => true;
  async run(model: Model, bench: ModerationBench): Promise<void> {
    const startAt = model.nowMs + this.delaySeconds * 1_000;
    const request: CreateSanctionRequest = {
      type: this.type,
      externalUserId: this.person,
      startAt: new Date(startAt).toISOString(),
      ...(this.seconds === null ? {} : { duration: this.seconds }),
    };
    const issued = bench.sanctions.create(bench.grant, moderator, request);
    if (isRefused(this.type, this.seconds))
      return expect(issued).rejects.toMatchObject({ code: 'sanction_time_invalid' });
    const endAt = this.seconds === null ? null : startAt + this.seconds * 1_000;
    const begun = startAt <= model.nowMs;
    const { id } = await issued;
    model.sanctions.push({
      id,
      person: this.person,
      type: this.type,
      startAt,
      begun,
      endAt,
      expired: false,
      revoked: false,
    });
  }
  toString = () => `${this.type} of ${this.person} for ${this.seconds} s in ${this.delaySeconds} s`;
}

/** Picks one of those that there are. */
abstract class OnOne implements Step {
  constructor(protected readonly pick: number) {}
  check = ({ sanctions }: Readonly<Model>) => sanctions.length > 0;
  async run(model: Model, bench: ModerationBench): Promise<void> {
    const one = model.sanctions[this.pick % model.sanctions.length];
    if (one === undefined) return;
    const attempt = this.attempt(one, bench);
    if (status(one, model) !== 'active') return expect(attempt).rejects.toMatchObject({ code: 'sanction_not_active' });
    await this.follow(one, attempt);
  }
  protected abstract attempt(one: Known, bench: ModerationBench): Promise<unknown>;
  protected abstract follow(one: Known, attempt: Promise<unknown>): Promise<void>;
}

class Revoke extends OnOne {
  protected override attempt = ({ id }: Known, { sanctions, grant }: ModerationBench) =>
    sanctions.revoke(grant.projectId, id, 'mod', 'enough');
  protected override async follow(one: Known, attempt: Promise<unknown>): Promise<void> {
    await attempt;
    one.revoked = true;
  }
  override toString = () => `revoke ${this.pick}`;
}

class Change extends OnOne {
  constructor(
    pick: number,
    private readonly seconds: number | null,
  ) {
    super(pick);
  }
  protected override attempt = ({ id }: Known, { sanctions, grant }: ModerationBench) =>
    sanctions.update(grant.projectId, id, 'tester', { duration: this.seconds });
  protected override async follow(one: Known, attempt: Promise<unknown>): Promise<void> {
    if (isRefused(one.type, this.seconds))
      return expect(attempt).rejects.toMatchObject({ code: 'sanction_time_invalid' });
    await attempt;
    one.endAt = this.seconds === null ? null : one.startAt + this.seconds * 1_000;
  }
  override toString = () => `let ${this.pick} last ${this.seconds} s`;
}

/** The clock goes on, or jumps either way. */
class Pass implements Step {
  constructor(private readonly seconds: number) {}
  check = () => true;
  async run(model: Model, bench: ModerationBench): Promise<void> {
    model.nowMs += this.seconds * 1_000;
    bench.now = new Date(model.nowMs);
  }
  toString = () => `${this.seconds} s pass`;
}

/** The job runs, in this daemon or in another one. */
class Work implements Step {
  constructor(private readonly elsewhere: boolean) {}
  check = () => true;
  async run(model: Model, bench: ModerationBench): Promise<void> {
    const { terms } = this.elsewhere ? bench.another() : bench;
    const begun = model.sanctions.filter((one) => !one.begun && inForce(one, model));
    expect(await terms.beginDue(1_000)).toBe(begun.length);
    for (const one of begun) one.begun = true;
    const over = model.sanctions.filter((one) => status(one, model) === 'expired' && !one.expired);
    expect(await terms.expireDue(1_000)).toBe(over.length);
    for (const one of over) one.expired = true;
  }
  toString = () => `the job runs${this.elsewhere ? ' elsewhere' : ''}`;
}

/** Everything that can be seen of one person agrees with the model. */
class Look implements Step {
  constructor(private readonly person: string) {}
  check = () => true;
  async run(model: Model, bench: ModerationBench): Promise<void> {
    const { projectId } = bench.grant;
    const own = model.sanctions.filter(({ person }) => person === this.person);
    const holding = own.filter((one) => inForce(one, model));
    const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).toSorted();
    const all = await bench.sanctions.ofUser(projectId, this.person);
    expect(all.map(({ id, isActive, ...seen }) => [id, seen.status, isActive]).toSorted()).toEqual(
      own.map((one) => [one.id, status(one, model), inForce(one, model)]).toSorted(),
    );
    expect(ids(await bench.sanctions.activeOfUser(projectId, this.person))).toEqual(ids(holding));
    const policy = await bench.policies.policy(projectId, 'arena', this.person);
    const has = (...types: SanctionType[]) => holding.some(({ type }) => types.includes(type));
    expect(policy).toMatchObject({
      publish: !has('mute', 'listen_only', 'text_only'),
      audible: !has('shadow_mute'),
      speakingSecondsPerMinute: has('rate_limit') ? 20 : null,
    });
    expect(policy.banned !== null).toBe(has('temp_ban', 'perm_ban'));
  }
  toString = () => `look at ${this.person}`;
}

const person = fc.constantFrom(...people);
const seconds = fc.option(fc.constantFrom(1, 60, 3_600, 90_000), { nil: null });
const day = 86_400;
const steps = [
  fc
    .tuple(person, fc.constantFrom(...sanctionTypes), seconds, fc.constantFrom(0, 0, 0, 30, 7_200))
    .map((fields) => new Issue(...fields)),
  fc.nat(20).map((pick) => new Revoke(pick)),
  fc.tuple(fc.nat(20), seconds).map((fields) => new Change(...fields)),
  fc.constantFrom(0.001, 1, 59.999, 60, 3_600, day, -day, -60).map((passed) => new Pass(passed)),
  fc.boolean().map((elsewhere) => new Work(elsewhere)),
  person.map((one) => new Look(one)),
];
/** Most lives are short, some are long. */
const lives = fc.oneof(
  { weight: 4, arbitrary: fc.commands(steps, { maxCommands: Math.min(30, stepsMax), size: 'max' }) },
  { weight: 1, arbitrary: fc.commands(steps, { maxCommands: stepsMax, size: 'max' }) },
);

describe.each(databases)('sanctions on $name', ({ open, here }) => {
  describe.skipIf(!here)('', () => {
    let opened: TestDatabase;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    it('live as a plain model does', { timeout: patienceMs }, async () => {
      await fc.assert(
        fc.asyncProperty(lives, async (commands) => {
          // Jobs are everybody's: what an earlier life has left behind would fall due in this one.
          await opened.database.transaction((tx) => tx.sanction.deleteMany());
          const setup = async () => {
            const real = await openModeration(opened.database, start);
            return { model: { nowMs: start.getTime(), sanctions: [] }, real };
          };
          await fc.asyncModelRun(setup, commands);
        }),
        { numRuns: runs, ...(runs < 100 ? { seed: 20_260_101 } : {}) },
      );
    });
  });
});
