/** What the decision on a case says about its reports, pure. */
import type { ReportOutcome } from '../../../../src/contract/reports/reports.js';
import type { Verdict } from '../reporters/reliability.js';

interface DecidedCase {
  readonly decision: string | null;
  readonly reasonCode: string | null;
}

export const outcomeOf = ({ decision, reasonCode }: DecidedCase): ReportOutcome =>
  decision === 'sanction' ? 'action_taken' : reasonCode === 'unfounded_reports' ? 'unfounded' : 'no_action';

/** null: nothing, because there was too little to judge by, or nobody left to judge. */
export function verdictOf({ decision, reasonCode }: DecidedCase): Verdict | null {
  if (decision === 'sanction') return 'upheld';
  if (reasonCode === 'unfounded_reports') return 'unfounded';
  return reasonCode === 'insufficient_evidence' || reasonCode === 'person_erased' ? null : 'not_upheld';
}
