/** Names who imposed sanctions: a user, an API key, the holder of a moderator's link, a rule, or the daemon itself. */
import type { AccountDirectory } from '../../identity/directory.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { SanctionRow } from './sanction-rows.js';

/** Whoever names rules, which stand above sanctions. */
interface RuleNames {
  /** Returns the names by id; rules that are gone have none. */
  names(projectId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export interface AuthorNames {
  readonly accounts: Pick<AccountDirectory, 'names'>;
  readonly people: Pick<ParticipantDirectory, 'byIds'>;
  readonly rules: RuleNames;
}

export const system = 'the system';

/** The rule that imposed it. People may name a rule as their evidence, too. */
const ruleOf = ({ createdByUserId, evidence }: SanctionRow): string | null =>
  createdByUserId === null ? (evidence?.ruleId ?? null) : null;

const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];

/**
 * Returns the author of each row of a project: an e-mail address, `key NAME`, `player ID`, `rule NAME` or `the system`; null
 * where the account or the player is gone, and for accounts if `accounts` is false.
 */
export async function authorsOf(
  names: AuthorNames,
  rows: readonly SanctionRow[],
  { accounts }: { readonly accounts: boolean },
): Promise<(row: SanctionRow) => string | null> {
  const [first] = rows;
  if (first === undefined) return () => null;
  const people = distinct(rows.map(({ createdByUserId }) => createdByUserId));
  const rules = distinct(rows.map(ruleOf));
  const [byAccount, players, byRule] = await Promise.all([
    accounts && people.length > 0 ? names.accounts.names(first.tenantId, people) : new Map<string, string>(),
    people.length === 0 ? [] : names.people.byIds(first.projectId, people),
    rules.length === 0 ? new Map<string, string>() : names.rules.names(first.projectId, rules),
  ]);
  const byPlayer = new Map(players.map(({ id, externalUserId }) => [id, externalUserId]));
  return (row) => {
    const { createdByUserId: by } = row;
    if (by !== null) return byAccount.get(by) ?? (byPlayer.has(by) ? `player ${byPlayer.get(by)}` : null);
    const rule = ruleOf(row);
    return rule === null ? system : `rule ${byRule.get(rule) ?? rule}`;
  };
}
