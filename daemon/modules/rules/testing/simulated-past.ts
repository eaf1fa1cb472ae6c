/** What a rule would have done so far, in place of what it did. */
import type { RuleFacts, RuleVerdict } from '../../../../src/contract/rules/rule-decisions.js';
import type { RuleTestPast } from '../../../../src/contract/rules/rule-tests.js';
import type { Past } from '../judging/facts.js';

const pastMax = 10_000;
const hourMs = 3_600_000;

export class SimulatedPast implements Past {
  private done: RuleTestPast[number][];

  constructor(
    past: RuleTestPast,
    /** How long something counts, at most. */
    private readonly countsMs: number,
  ) {
    this.done = [...past];
  }

  /** Each message is judged once. */
  acted = async (): Promise<boolean> => false;

  async times(_: unknown, externalUserId: string, { after, until }: { after: Date; until: Date }): Promise<number> {
    return this.of(externalUserId, after, until).length;
  }

  async sanctionsSince(_: unknown, time: Date): Promise<number> {
    return this.done
      .filter(({ at }) => Date.parse(at) > time.getTime())
      .reduce((sum, { sanctions }) => sum + sanctions.length, 0);
  }

  /** Sanctions that it would have imposed on a person in this time. */
  sanctions(externalUserId: string, { after, until }: { after: Date; until: Date }) {
    return this.of(externalUserId, after, until).flatMap((one) =>
      one.sanctions.map((type, index) => ({
        id: `simulated ${this.done.indexOf(one)} ${index}`,
        ...{ type, at: one.at },
      })),
    );
  }

  add({ externalUserId, at }: RuleFacts, { actions }: RuleVerdict): void {
    const sanctions = actions.flatMap(({ sanction, review }) =>
      sanction !== undefined ? [sanction.type] : review !== undefined ? (['human_review'] as const) : [],
    );
    this.done.push({ externalUserId, at, sanctions });
  }

  /** What still counts at a time. */
  at(time: number): RuleTestPast {
    this.done = this.done.filter(({ at }) => Date.parse(at) > time - Math.max(this.countsMs, hourMs)).slice(-pastMax);
    return this.done;
  }

  private of(user: string, after: Date, until: Date) {
    return this.done.filter(({ externalUserId, at }) => {
      const time = Date.parse(at);
      return externalUserId === user && time > after.getTime() && time <= until.getTime();
    });
  }
}
