/** Undoes what a rule did in a time: revokes what it imposed, and lets decisions that imposed nothing not count. */
import type { z } from 'zod';
import { DomainError } from '../../../../src/contract/errors.js';
import type { UndoneRule, UndoRuleRequest } from '../../../../src/contract/rules/rules.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { AutomaticSanctions } from '../../moderation/sanctions/automatic.js';
import type { DecisionStore } from '../decisions/decision-store.js';
import type { RuleStore } from './rule-store.js';

type UndoneTime = z.output<typeof UndoRuleRequest> & { readonly actorId: string };

export class RuleUndoing {
  constructor(
    private readonly database: Database,
    private readonly rules: Pick<RuleStore, 'findEver'>,
    private readonly decisions: Pick<DecisionStore, 'undoSome'>,
    private readonly sanctions: Pick<AutomaticSanctions, 'undo'>,
    private readonly now: Clock,
  ) {}

  /** Throws rule_not_found. */
  async undo(projectId: string, ruleId: string, time: UndoneTime): Promise<UndoneRule> {
    if ((await this.rules.findEver(projectId, ruleId)) === null) throw new DomainError('rule_not_found');
    const undone = await this.sanctions.undo(projectId, ruleId, time);
    const undoSome = (tx: Transaction) => this.decisions.undoSome(tx, ruleId, time, this.now());
    if (!time.dryRun) while ((await this.database.transaction(undoSome)) > 0);
    return { ruleId, ...undone };
  }
}
