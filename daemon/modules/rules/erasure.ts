/** Erases people from rules and decisions. */

import type { Database, Transaction } from '../../platform/database/database.js';
import type { PersonErasure, PersonMoveSteps } from '../../platform/module.js';
import type { MovingPerson } from '../../platform/moving-person.js';
import type { DecisionStore } from './decisions/decision-store.js';
import type { RuleStore } from './resource/rule-store.js';

export class RuleErasure implements PersonErasure, PersonMoveSteps {
  constructor(
    private readonly database: Database,
    private readonly rules: RuleStore,
    private readonly decisions: DecisionStore,
  ) {}

  /** Erases decisions, some at a time: others write in between. */
  async inBatches(projectId: string, { externalUserId }: { readonly externalUserId: string }): Promise<void> {
    const some = (tx: Transaction) => this.decisions.eraseSome(tx, projectId, externalUserId);
    while ((await this.database.transaction(some)) > 0);
  }

  /** Makes judging start again: what is being judged now may be about the person, and must not be stored. */
  beforeLog(tx: Transaction, projectId: string): Promise<void> {
    return this.rules.outdate(tx, projectId);
  }

  async afterLog(
    tx: Transaction,
    projectId: string,
    { externalUserId }: { readonly externalUserId: string },
  ): Promise<void> {
    await this.rules.erase(tx, projectId, externalUserId);
    while ((await this.decisions.eraseSome(tx, projectId, externalUserId)) > 0);
  }

  /** Makes judging start again too, because what is being judged now may be about the person. */
  async merge(tx: Transaction, person: MovingPerson): Promise<void> {
    await this.rules.outdate(tx, person.projectId);
    await this.rules.movePerson(tx, person);
  }
}
