/** Rows of decisions, and which sanctions they imposed. */
import type { MadeQuery } from '../../../../src/contract/common.js';
import {
  type RuleDecision,
  RuleFacts,
  type RuleOutcome,
  RuleVerdict,
  ruleOutcomes,
} from '../../../../src/contract/rules/rule-decisions.js';
import { RuleMode } from '../../../../src/contract/rules/rule-definition.js';
import { bulkRows } from '../../../platform/database/bulk-rows.js';
import { jsonOf, oneOf, type WithValues, withJson } from '../../../platform/database/column-values.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { sqlTime, written } from '../../../platform/database/dialect.js';
import { within } from '../../../platform/database/made-within.js';
import type { Condition } from '../../../platform/database/mapped-tables.js';
import { someIds, withIds } from '../../../platform/database/row-ids.js';
import { newestFirst, type RowPage } from '../../../platform/database/row-page.js';
import { slicesOf } from '../../../platform/database/slices.js';
import type { CountAsked, Past, PastFacts, PastQuery, TakenBack } from '../judging/facts.js';

interface DecisionRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly ruleId: string;
  readonly version: number;
  readonly mode: string;
  readonly eventId: string;
  readonly messageId: string | null;
  readonly sessionId: string | null;
  readonly externalUserId: string | null;
  readonly outcome: string;
  readonly sanctions: number;
  readonly facts: string | null;
  readonly verdict: string | null;
  readonly counted: string | null;
  readonly saidAt: Date;
  readonly decidedAt: Date;
  /** When it was undone with its rule; null for one that imposed something: its sanctions tell what stands. */
  readonly undoneAt: Date | null;
}

export type DecisionValues = WithValues<
  DecisionRow,
  {
    readonly facts: RuleFacts | null;
    readonly verdict: RuleVerdict | null;
    /** Keys of what it counted. */
    readonly counted: readonly string[] | null;
  }
>;

const readFacts = jsonOf(RuleFacts);
const readVerdict = jsonOf(RuleVerdict);

type StoredDecision = DecisionRow & { readonly imposed: readonly { readonly sanctionId: string }[] };

export const toDecision = (row: StoredDecision): RuleDecision => ({
  id: row.id,
  projectId: row.projectId,
  ruleId: row.ruleId,
  version: row.version,
  mode: RuleMode.parse(row.mode),
  outcome: oneOf(ruleOutcomes, row.outcome) ?? 'not_matched',
  eventId: row.eventId,
  messageId: row.messageId,
  sessionId: row.sessionId,
  externalUserId: row.externalUserId,
  facts: row.facts === null ? null : readFacts(row.facts),
  verdict: row.verdict === null ? null : readVerdict(row.verdict),
  sanctionIds: row.imposed.map(({ sanctionId }) => sanctionId),
  decidedAt: row.decidedAt.toISOString(),
});

export interface DecisionFilter {
  readonly ruleId?: string | undefined;
  readonly externalUserId?: string | undefined;
  readonly outcome?: RuleOutcome | undefined;
  /** When it was decided. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const whereOf = (projectId: string, { since, until, ...fields }: DecisionFilter) => {
  const decidedAt = within({ since, until });
  return { projectId, ...fields, ...(decidedAt === undefined ? {} : { decidedAt }) };
};

const decisionRows = bulkRows('RuleDecision');

/** Two terms of a compound statement each; SQLite takes 500. */
const countsAtOnce = 100;

const beginOf = ({ at, spanMs }: CountAsked): Date => new Date(at.getTime() - spanMs);
const columnOf = ({ by }: Pick<CountAsked, 'by'>) => (by === 'person' ? 'externalUserId' : 'sessionId');

/** Selects when the nearest messages that it counted were said: up to the judged one, and after it. */
function countedBeside(index: number, asked: CountAsked, acted: Date | null): Condition[] {
  const { ruleId, messageId, key, at, spanMs, take } = asked;
  const since = acted ?? beginOf(asked);
  const about = columnOf(asked);
  // A message has a decision for each annotation.
  const side = (ends: string, times: readonly Date[], order: string): Condition => ({
    text: `SELECT * FROM (SELECT ${index} AS "index", "saidAt" FROM "RuleDecision" WHERE "ruleId" = ? AND "${about}" = ?
      AND "messageId" <> ? AND "counted" LIKE ? AND ${ends} GROUP BY "messageId", "saidAt" ORDER BY "saidAt" ${order} LIMIT ?) AS side`,
    values: [ruleId, asked[about], messageId, `%"${key}"%`, ...times.map(sqlTime), take],
  });
  return [
    side('"saidAt" > ? AND "saidAt" <= ?', [since, at], 'DESC'),
    side('"saidAt" > ? AND "saidAt" < ?', [since > at ? since : at, new Date(at.getTime() + spanMs)], 'ASC'),
  ];
}

const withImposed = { imposed: { select: { sanctionId: true } } } as const;

function countBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
}

/** In the mode of the rule: what it would have done in a dry run does not count when it is enforced. */
export class DecisionStore implements Past {
  constructor(private readonly database: Database) {}

  /** Rows as `insert` takes them; made before the transaction, because other writers wait for it. */
  prepare = (rows: readonly DecisionValues[]) =>
    decisionRows.prepare(
      this.database.dialect,
      rows.map((row) => withJson(row, 'facts', 'verdict', 'counted')),
    );

  insert = (tx: Transaction, rows: Awaited<ReturnType<DecisionStore['prepare']>>): Promise<void> =>
    this.database.write(tx, decisionRows.insertPrepared(this.database.dialect), rows);

  impose = async (tx: Transaction, imposed: readonly { sanctionId: string; decisionId: string }[]): Promise<void> => {
    for (const data of imposed) await tx.ruleSanction.create({ data });
  };

  /** The newest first. */
  list = (projectId: string, filter: DecisionFilter, page: RowPage): Promise<StoredDecision[]> =>
    this.database.read.ruleDecision.findMany({
      ...newestFirst(whereOf(projectId, filter), page),
      include: withImposed,
    });

  count = (projectId: string, filter: DecisionFilter): Promise<number> =>
    this.database.read.ruleDecision.count({ where: whereOf(projectId, filter) });

  find = (projectId: string, id: string): Promise<StoredDecision | null> =>
    this.database.read.ruleDecision.findFirst({ where: { projectId, id }, include: withImposed });

  /** Returns the decision that imposed the sanction. */
  async imposing(projectId: string, sanctionId: string): Promise<StoredDecision | null> {
    const row = await this.database.read.ruleSanction.findUnique({ where: { sanctionId } });
    return row === null ? null : this.find(projectId, row.decisionId);
  }

  /** Returns the past of each rule: on the message, on the person in its span, and in the last hour. */
  async past(
    rules: readonly PastQuery[],
    { messageId, externalUserId }: { messageId: string; externalUserId: string },
    hourAgo: Date,
    takenBack: TakenBack,
  ): Promise<PastFacts[]> {
    const imposing = rules.filter(({ imposes }) => imposes);
    const matched = <W extends object>(some: readonly PastQuery[], where: (rule: PastQuery) => W) =>
      some.map((rule) => ({ ruleId: rule.ruleId, mode: rule.mode, outcome: 'matched', ...where(rule) }));
    const { ruleDecision } = this.database.read;
    const acted = await ruleDecision.findMany({
      where: { OR: matched(rules, () => ({ messageId })) },
      select: { ruleId: true },
    });
    const earlier = await ruleDecision.findMany({
      where: {
        OR: matched(rules, ({ span: { after, until } }) => ({ externalUserId, saidAt: { gt: after, lte: until } })),
        undoneAt: null,
      },
      select: { ruleId: true, ...withImposed },
    });
    const times = countBy(await this.inForce(earlier, takenBack), ({ ruleId }) => ruleId);
    const sanctions = await (imposing.length === 0
      ? []
      : ruleDecision.groupBy({
          by: ['ruleId'],
          where: { OR: matched(imposing, () => ({ decidedAt: { gt: hourAgo } })) },
          _sum: { sanctions: true },
        }));
    const repeated = new Set(acted.map(({ ruleId }) => ruleId));
    const imposedBy = new Map(sanctions.map(({ ruleId, _sum }) => [ruleId, _sum.sanctions ?? 0]));
    const withdrawn =
      sanctions.length === 0 ? new Map<string, number>() : await this.withdrawn(imposing, hourAgo, takenBack);
    return rules.map(({ ruleId }) => ({
      repeated: repeated.has(ruleId),
      times: times.get(ruleId) ?? 0,
      sanctionsThisHour: (imposedBy.get(ruleId) ?? 0) - (withdrawn.get(ruleId) ?? 0),
    }));
  }

  /** How many sanctions of each rule in this time were taken back. */
  private async withdrawn(
    rules: readonly PastQuery[],
    after: Date,
    takenBack: TakenBack,
  ): Promise<Map<string, number>> {
    const decision = {
      OR: rules.map(({ ruleId, mode }) => ({ ruleId, mode, outcome: 'matched', decidedAt: { gt: after } })),
    };
    const select = { sanctionId: true, decision: { select: { ruleId: true } } };
    const imposed = await this.database.read.ruleSanction.findMany({ where: { decision }, select });
    const gone = await takenBack(imposed.map(({ sanctionId }) => sanctionId));
    return countBy(
      imposed.filter(({ sanctionId }) => gone.has(sanctionId)),
      ({ decision: { ruleId } }) => ruleId,
    );
  }

  /** Those of the decisions that imposed nothing, or something that was not taken back. */
  private async inForce<D extends Pick<StoredDecision, 'imposed'>>(
    decisions: readonly D[],
    takenBack: TakenBack,
  ): Promise<D[]> {
    const ids = decisions.flatMap(({ imposed }) => imposed.map(({ sanctionId }) => sanctionId));
    if (ids.length === 0) return [...decisions];
    const gone = await takenBack(ids);
    return decisions.filter(
      ({ imposed }) => imposed.length === 0 || imposed.some(({ sanctionId }) => !gone.has(sanctionId)),
    );
  }

  /** Undoes some decisions of a rule in this time that imposed nothing; returns how many. */
  async undoSome(tx: Transaction, ruleId: string, made: MadeQuery, undoneAt: Date): Promise<number> {
    const decidedAt = within(made);
    const where = { ruleId, outcome: 'matched', undoneAt: null, ...(decidedAt === undefined ? {} : { decidedAt }) };
    const rows = await tx.ruleDecision.findMany({ where: { ...where, imposed: { none: {} } }, ...someIds });
    return (await tx.ruleDecision.updateMany({ ...withIds(rows), data: { undoneAt } })).count;
  }

  async counted(asked: readonly CountAsked[], takenBack: TakenBack): Promise<Date[][]> {
    if (asked.length === 0) return [];
    const acted = await this.lastActed(asked, takenBack);
    const { dialect, read } = this.database;
    const found = asked.map((): Date[] => []);
    for (const some of slicesOf([...asked.entries()], countsAtOnce)) {
      const sides = some.flatMap(([index, one]) => countedBeside(index, one, acted[index] ?? null));
      const rows = await read.$queryRawUnsafe<{ index: number | bigint; saidAt: string | Date }[]>(
        written(dialect, sides.map(({ text }) => text).join(' UNION ALL ')),
        ...sides.flatMap(({ values }) => values),
      );
      for (const { index, saidAt } of rows) found[Number(index)]?.push(new Date(saidAt));
    }
    return found;
  }

  /** For each, when the rule last acted in its span; undefined: it has not. */
  private async lastActed(asked: readonly CountAsked[], takenBack: TakenBack): Promise<(Date | undefined)[]> {
    const earliest = new Map<string, CountAsked>();
    for (const one of asked) {
      const key = JSON.stringify([one.ruleId, one.mode, one.by]);
      if (one.spanMs > (earliest.get(key)?.spanMs ?? 0)) earliest.set(key, one);
    }
    const matched = await this.database.read.ruleDecision.findMany({
      where: {
        ...{ outcome: 'matched', undoneAt: null },
        OR: [...earliest.values()].map((one) => ({
          ...{ ruleId: one.ruleId, mode: one.mode, [columnOf(one)]: one[columnOf(one)], saidAt: { gt: beginOf(one) } },
        })),
      },
      orderBy: { saidAt: 'desc' },
      select: { ruleId: true, mode: true, externalUserId: true, sessionId: true, saidAt: true, ...withImposed },
    });
    const inForce = await this.inForce(matched, takenBack);
    const isOf = (one: CountAsked) => (row: (typeof inForce)[number]) =>
      row.ruleId === one.ruleId && row.mode === one.mode && row[columnOf(one)] === one[columnOf(one)];
    return asked.map((one) => {
      const last = inForce.find(isOf(one))?.saidAt;
      return last !== undefined && last > beginOf(one) ? last : undefined;
    });
  }

  /** Kinds of sanction that the rule imposed on the person, or would have, for messages of this time. */
  async imposed(
    { ruleId, mode }: Pick<PastQuery, 'ruleId' | 'mode'>,
    externalUserId: string,
    { after, until }: { after: Date; until: Date },
  ) {
    const rows = await this.database.read.ruleDecision.findMany({
      where: { ruleId, mode, externalUserId, outcome: 'matched', saidAt: { gt: after, lte: until } },
      select: { verdict: true },
    });
    const verdicts = rows.flatMap(({ verdict }) => (verdict === null ? [] : [readVerdict(verdict)]));
    return verdicts.flatMap(({ actions }) => actions.flatMap(({ sanction }) => sanction?.type ?? []));
  }

  /**
   * Erases a person from some of their decisions, of which nothing else stays than that there was one; returns how
   * many.
   */
  async eraseSome(tx: Transaction, projectId: string, externalUserId: string): Promise<number> {
    const rows = await tx.ruleDecision.findMany({ where: { projectId, externalUserId }, ...someIds });
    await tx.ruleSanction.deleteMany({ where: { decisionId: { in: rows.map(({ id }) => id) } } });
    const nobody = {
      externalUserId: null,
      messageId: null,
      sessionId: null,
      facts: null,
      verdict: null,
      counted: null,
    };
    return (await tx.ruleDecision.updateMany({ ...withIds(rows), data: nobody })).count;
  }
}
