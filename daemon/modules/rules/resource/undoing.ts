/** Revokes what a rule imposed in a time. */
import type { z } from 'zod';
import { DomainError } from '../../../../src/contract/errors.js';
import type { UndoneRule, UndoRuleRequest } from '../../../../src/contract/rules/rules.js';
import type { AutomaticSanctions } from '../../moderation/sanctions/automatic.js';
import type { RuleStore } from './rule-store.js';

type UndoneTime = z.output<typeof UndoRuleRequest> & { readonly actorId: string };

export class RuleUndoing {
  constructor(
    private readonly rules: Pick<RuleStore, 'findEver'>,
    private readonly sanctions: Pick<AutomaticSanctions, 'undo'>,
  ) {}

  /** Throws rule_not_found. */
  async undo(projectId: string, ruleId: string, time: UndoneTime): Promise<UndoneRule> {
    if ((await this.rules.findEver(projectId, ruleId)) === null) throw new DomainError('rule_not_found');
    return { ruleId, ...(await this.sanctions.undo(projectId, ruleId, time)) };
  }
}
