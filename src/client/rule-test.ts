/** Runs a rule over stored transcripts page by page, and counts what people decided about the same people and sessions. */

import type { HumanDecision, RuleTestMatch, RuleTestPlace, RuleTestRequest } from '../contract/rules/rule-tests.js';
import { ruleTestRoutes } from '../contract/rules/rule-tests.js';
import type { EarshotClient } from './earshot-client.js';

export interface RuleTestReport {
  readonly messages: number;
  /** How many of them a plugin had annotated. */
  readonly annotated: number;
  /** Matches of the rule, in order. */
  readonly matches: readonly RuleTestMatch[];
  /** People in sessions, by what people decided about them. */
  readonly pairs: {
    /** The rule and people agree. */
    readonly confirmed: number;
    /** The rule would have acted, and people decided against it. */
    readonly refuted: number;
    /** People acted, and the rule would not have. */
    readonly missed: number;
    /** The rule would have acted, and nobody decided. */
    readonly undecided: number;
  };
  /** confirmed of confirmed and refuted; null: nobody decided about anything that it would have acted on. */
  readonly precision: number | null;
  /** confirmed of confirmed and missed; null: people acted on nobody. */
  readonly recall: number | null;
  /** Against the version that judges; null: it was compared with none. */
  readonly diff: {
    readonly added: readonly RuleTestMatch[];
    readonly removed: readonly RuleTestMatch[];
    readonly changed: readonly RuleTestMatch[];
  } | null;
}

interface RuleTestRun {
  readonly projectId: string;
  readonly request: Omit<RuleTestRequest, 'place'>;
  readonly onPage: (messages: number, upTo: string) => void;
}

export async function runRuleTest(
  client: EarshotClient,
  { projectId, request, onPage }: RuleTestRun,
): Promise<RuleTestReport> {
  const tested: RuleTestMatch[] = [];
  const live: RuleTestMatch[] = [];
  const people: HumanDecision[] = [];
  let messages = 0;
  let annotated = 0;
  for (let place: RuleTestPlace | undefined; ; ) {
    const body = place === undefined ? request : { ...request, place };
    const page = await client.call(ruleTestRoutes.run, { params: { projectId }, body });
    tested.push(...page.tested);
    live.push(...page.live);
    people.push(...page.people);
    messages += page.messages;
    annotated += page.annotated;
    onPage(messages, page.upTo);
    if (page.next === null) break;
    place = page.next;
  }
  const diff = request.ruleId === undefined ? null : diffOf(tested, live);
  return { messages, annotated, matches: tested, ...countedAgainst(people, tested), diff };
}

const pairOf = ({ externalUserId, sessionId }: { externalUserId: string; sessionId: string }): string =>
  JSON.stringify([externalUserId, sessionId]);

/** The later decision counts where people decided twice about somebody in a session. */
function countedAgainst(people: readonly HumanDecision[], matches: readonly RuleTestMatch[]) {
  const decided = new Map<string, boolean>();
  for (const one of people.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)))
    decided.set(pairOf(one), one.sanctioned);
  const flagged = new Set(matches.map(pairOf));
  const pairsOf = (verdict: boolean | undefined) => [...flagged].filter((pair) => decided.get(pair) === verdict).length;
  const [confirmed, refuted, undecided] = [pairsOf(true), pairsOf(false), pairsOf(undefined)];
  const missed = [...decided].filter(([pair, sanctioned]) => sanctioned && !flagged.has(pair)).length;
  const share = (part: number, rest: number) => (part + rest === 0 ? null : part / (part + rest));
  return {
    pairs: { confirmed, refuted, missed, undecided },
    precision: share(confirmed, refuted),
    recall: share(confirmed, missed),
  };
}

function diffOf(tested: readonly RuleTestMatch[], live: readonly RuleTestMatch[]): RuleTestReport['diff'] {
  const before = new Map(live.map((one) => [one.messageId, one]));
  const after = new Set(tested.map(({ messageId }) => messageId));
  return {
    added: tested.filter(({ messageId }) => !before.has(messageId)),
    removed: live.filter(({ messageId }) => !after.has(messageId)),
    changed: tested.filter(({ messageId, actions }) => {
      const other = before.get(messageId);
      return other !== undefined && JSON.stringify(other.actions) !== JSON.stringify(actions);
    }),
  };
}
