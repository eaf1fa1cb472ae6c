/** Rows of rules, their versions, and the switch of a project. */
import { z } from 'zod';
import { RuleDefinition } from '../../../../src/contract/rules/rule-definition.js';
import type { Rule, RuleSwitch, RuleVersion } from '../../../../src/contract/rules/rules.js';
import { jsonOf, timeOrNull, type WithValues, withJson } from '../../../platform/database/column-values.js';
import { type Database, idsAtOnce, type Reader, type Transaction } from '../../../platform/database/database.js';
import { projectInReach } from '../../../platform/database/in-reach.js';
import { cursors } from '../../../platform/events/cursors.js';
import type { MovingPerson } from '../../../platform/moving-person.js';

export interface RuleRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly version: number;
  readonly sanctionsPerHourMax: number;
  readonly exempt: readonly string[];
  readonly fromPosition: bigint;
  /** null: since it was made. */
  readonly enabledAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

interface VersionRow {
  readonly ruleId: string;
  readonly version: number;
  readonly definition: string;
  readonly copyOf: number | null;
  readonly createdByUserId: string;
  readonly createdAt: Date;
}

interface StateRow {
  readonly projectId: string;
  readonly tenantId: string;
  readonly stopped: boolean;
  readonly revision: number;
  readonly changedByUserId: string | null;
  readonly changedAt: Date | null;
}

/** A rule with the definition that judges. */
export interface WholeRule {
  readonly row: RuleRow;
  readonly definition: RuleDefinition;
}

/** A column `exempt` without anybody. */
const noOne = '[]';

type StoredRule = WithValues<RuleRow, { readonly exempt: string }>;
const readNames = jsonOf(z.array(z.string()));
const toRow = (row: StoredRule): RuleRow => ({ ...row, exempt: readNames(row.exempt) });

const readDefinition = jsonOf(RuleDefinition);
const definitionOf = ({ definition }: Pick<VersionRow, 'definition'>): RuleDefinition => readDefinition(definition);

export const toRule = ({ row, definition }: WholeRule): Rule => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  enabled: row.enabled,
  version: row.version,
  definition,
  sanctionsPerHourMax: row.sanctionsPerHourMax,
  exempt: [...row.exempt],
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

export const toVersion = (row: VersionRow): RuleVersion => ({
  version: row.version,
  definition: definitionOf(row),
  copyOf: row.copyOf,
  createdByUserId: row.createdByUserId,
  createdAt: row.createdAt.toISOString(),
});

export const toSwitch = (row: StateRow | null): RuleSwitch => ({
  stopped: row?.stopped ?? false,
  changedByUserId: row?.changedByUserId ?? null,
  changedAt: timeOrNull(row?.changedAt),
});

const cursorOf = (projectId: string): string => `rules:${projectId}`;

export class RuleStore {
  constructor(private readonly database: Database) {}

  /** Returns the rules of the project that are not deleted, the oldest first. */
  async list(projectId: string, reader: Reader | Transaction = this.database.read): Promise<WholeRule[]> {
    const rows = await reader.rule.findMany({
      where: { projectId, deletedAt: null },
      orderBy: { id: 'asc' },
    });
    return this.whole(rows.map(toRow), reader);
  }

  /** null: there is none, or it is deleted. */
  async find(
    projectId: string,
    id: string,
    reader: Reader | Transaction = this.database.read,
  ): Promise<WholeRule | null> {
    const row = await reader.rule.findFirst({ where: { projectId, id, deletedAt: null } });
    return row === null ? null : ((await this.whole([toRow(row)], reader))[0] ?? null);
  }

  /** Names by id, of deleted rules too. */
  async names(projectId: string, ids: readonly string[]): Promise<Map<string, string>> {
    const where = { projectId, id: { in: [...ids] } };
    const rows = await this.database.read.rule.findMany({ where, select: { id: true, name: true } });
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Deleted ones, too. */
  async findEver(projectId: string, id: string): Promise<RuleRow | null> {
    const row = await this.database.read.rule.findFirst({ where: { projectId, id } });
    return row === null ? null : toRow(row);
  }

  insert = (tx: Transaction, row: RuleRow) => tx.rule.create({ data: withJson(row, 'exempt') });

  update = (tx: Transaction, id: string, fields: Partial<RuleRow>): Promise<RuleRow> =>
    tx.rule.update({ where: { id }, data: withJson(fields, 'exempt') }).then(toRow);

  insertVersion = (tx: Transaction, row: WithValues<VersionRow, { readonly definition: RuleDefinition }>) =>
    tx.ruleVersion.create({ data: withJson(row, 'definition') });

  /** The newest first. */
  versions = (ruleId: string): Promise<VersionRow[]> =>
    this.database.read.ruleVersion.findMany({ where: { ruleId }, orderBy: { version: 'desc' } });

  version = (
    ruleId: string,
    version: number,
    reader: Reader | Transaction = this.database.read,
  ): Promise<VersionRow | null> => reader.ruleVersion.findUnique({ where: { ruleId_version: { ruleId, version } } });

  newest = async (tx: Transaction, ruleId: string): Promise<number> =>
    (await tx.ruleVersion.findFirst({ where: { ruleId }, orderBy: { version: 'desc' } }))?.version ?? 0;

  /**
   * Deletes the oldest version that no decision names, where there are as many as there may be; never the one that
   * judges. false: decisions name all.
   */
  async makeRoom(tx: Transaction, ruleId: string, versionsMax: number): Promise<boolean> {
    const versions = await tx.ruleVersion.findMany({
      where: { ruleId },
      orderBy: { version: 'asc' },
      select: { version: true, rule: { select: { version: true } } },
    });
    if (versions.length < versionsMax) return true;
    for (const { version, rule } of versions) {
      if (version === rule.version) continue;
      const named = await tx.ruleDecision.findFirst({ where: { ruleId, version }, select: { id: true } });
      if (named !== null) continue;
      await tx.ruleVersion.delete({ where: { ruleId_version: { ruleId, version } } });
      return true;
    }
    return false;
  }

  /** Returns the versions of rules that the project has, as `id@version`, and its rules, as `id`, out of these. */
  async known(projectId: string, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.database.read.rule.findMany({
      where: { projectId, id: { in: [...ids] }, deletedAt: null },
      select: { id: true, versions: { select: { version: true } } },
    });
    return new Set(rows.flatMap(({ id, versions }) => [id, ...versions.map(({ version }) => `${id}@${version}`)]));
  }

  state = (projectId: string): Promise<StateRow | null> =>
    this.database.read.ruleState.findUnique({ where: { projectId } });

  /**
   * Called by every change of the project's rules: changes wait for each other, and decisions that are being made by
   * the earlier rules are not stored.
   */
  lock = (tx: Transaction, { projectId, tenantId }: { projectId: string; tenantId: string }): Promise<StateRow> =>
    tx.ruleState.upsert({
      where: { projectId },
      create: { projectId, tenantId, stopped: false, revision: 1 },
      update: { revision: { increment: 1 } },
    });

  /** Decisions that are being made are not stored, as after a change of a rule. */
  async outdate(tx: Transaction, projectId: string): Promise<void> {
    await tx.ruleState.updateMany({ where: { projectId }, data: { revision: { increment: 1 } } });
  }

  setSwitch = (tx: Transaction, projectId: string, fields: Omit<StateRow, 'projectId' | 'tenantId' | 'revision'>) =>
    tx.ruleState.update({ where: { projectId }, data: fields });

  /** false: a rule has changed, or a person was erased, since this revision. Neither happens until the transaction ends. */
  async isAt(tx: Transaction, projectId: string, revision: number): Promise<boolean> {
    const where = { projectId, revision, stopped: false };
    return (await tx.ruleState.updateMany({ where, data: { revision } })).count === 1;
  }

  /** Projects within reach that have judging rules, with their positions in the log. */
  async judging(): Promise<{ state: StateRow; position: bigint }[]> {
    const found: { state: StateRow; position: bigint }[] = [];
    for (let after = ''; ; ) {
      const rows: StateRow[] = await this.database.read.ruleState.findMany({
        where: { stopped: false, project: projectInReach, projectId: { gt: after } },
        orderBy: { projectId: 'asc' },
        take: idsAtOnce,
      });
      const places = await cursors.places(
        this.database.read,
        rows.map(({ projectId }) => cursorOf(projectId)),
      );
      for (const state of rows) {
        const position = places.get(cursorOf(state.projectId));
        if (position !== undefined) found.push({ state, position });
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < idsAtOnce) return found;
      after = last.projectId;
    }
  }

  /** null: the rules of the project do not judge. */
  position = async (projectId: string, reader: Reader | Transaction = this.database.read): Promise<bigint | null> =>
    (await cursors.places(reader, [cursorOf(projectId)])).get(cursorOf(projectId)) ?? null;

  beginAt = (tx: Transaction, { projectId, tenantId }: StateRow, position: bigint, updatedAt: Date) =>
    cursors.open(tx, { name: cursorOf(projectId), tenantId, projectId, position, updatedAt });

  end = (tx: Transaction, projectId: string) => cursors.close(tx, [cursorOf(projectId)]);

  advance = (tx: Transaction, projectId: string, step: { from: bigint; to: bigint; at: Date }) =>
    cursors.advance(tx, cursorOf(projectId), step);

  /** Takes a person out of the lists of exempt people. */
  async erase(tx: Transaction, projectId: string, externalUserId: string): Promise<void> {
    for (const { id, exempt } of await this.exempting(tx, projectId)) {
      const left = exempt.filter((one) => one !== externalUserId);
      if (left.length < exempt.length) await this.update(tx, id, { exempt: left });
    }
  }

  /** A person who is exempt from a rule stays so under the other external user id. */
  async movePerson(tx: Transaction, { projectId, from, to }: MovingPerson): Promise<void> {
    for (const { id, exempt } of await this.exempting(tx, projectId))
      if (exempt.includes(from))
        await this.update(tx, id, { exempt: [...new Set(exempt.map((one) => (one === from ? to : one)))] });
  }

  private async exempting(tx: Transaction, projectId: string): Promise<RuleRow[]> {
    return (await tx.rule.findMany({ where: { projectId, exempt: { not: noOne } } })).map(toRow);
  }

  private async whole(rows: readonly RuleRow[], reader: Reader | Transaction): Promise<WholeRule[]> {
    const versions: VersionRow[] = await reader.ruleVersion.findMany({
      where: { OR: rows.map(({ id: ruleId, version }) => ({ ruleId, version })) },
    });
    const byRule = new Map(versions.map((one) => [one.ruleId, one]));
    return rows.flatMap((row) => {
      const version = byRule.get(row.id);
      return version === undefined ? [] : [{ row, definition: definitionOf(version) }];
    });
  }
}
