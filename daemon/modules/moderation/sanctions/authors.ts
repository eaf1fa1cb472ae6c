/** Names who imposed sanctions: a person, an API key, a rule, or the daemon itself. */
import type { SanctionRow } from './sanction-rows.js';

export interface AuthorNames {
  /** E-mail addresses of users and names of API keys, by id; removed ones too. */
  readonly accounts: (tenantId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Names of rules, by id; deleted ones too. */
  readonly rules: (projectId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

export const system = 'the system';

/** The rule that imposed it. People may name a rule as their evidence, too. */
const ruleOf = ({ createdByUserId, evidence }: SanctionRow): string | null =>
  createdByUserId === null ? (evidence?.ruleId ?? null) : null;

const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];

/**
 * Returns the author of each row of a project: an e-mail address, `key NAME`, `rule NAME` or `the system`; null where the
 * account is gone or `accounts` is false.
 */
export async function authorsOf(
  names: AuthorNames,
  rows: readonly SanctionRow[],
  { accounts }: { readonly accounts: boolean },
): Promise<(row: SanctionRow) => string | null> {
  const [first] = rows;
  if (first === undefined) return () => null;
  const people = accounts ? distinct(rows.map(({ createdByUserId }) => createdByUserId)) : [];
  const rules = distinct(rows.map(ruleOf));
  const [byAccount, byRule] = await Promise.all([
    people.length === 0 ? new Map<string, string>() : names.accounts(first.tenantId, people),
    rules.length === 0 ? new Map<string, string>() : names.rules(first.projectId, rules),
  ]);
  return (row) => {
    if (row.createdByUserId !== null) return byAccount.get(row.createdByUserId) ?? null;
    const rule = ruleOf(row);
    return rule === null ? system : `rule ${byRule.get(rule) ?? rule}`;
  };
}
