/** Rows of plugin instances, and their places in the log. */
import { FreeData } from '../../../../src/contract/common.js';
import { jsonOf, type WithValues, withJson } from '../../../platform/database/column-values.js';
import { type Database, idsAtOnce, type Reader, type Transaction } from '../../../platform/database/database.js';
import { projectInReach } from '../../../platform/database/in-reach.js';
import { cursors } from '../../../platform/events/cursors.js';

export interface InstanceRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly pluginSlug: string;
  readonly enabled: boolean;
  readonly settings: string;
  readonly secrets: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type InstanceValues = WithValues<InstanceRow, { readonly settings: Readonly<Record<string, unknown>> }>;

const readSettings = jsonOf(FreeData);
export const settingsOf = ({ settings }: Pick<InstanceRow, 'settings'>) => readSettings(settings);

/** An enabled instance with its place in the log. */
export interface ListeningInstance extends InstanceRow {
  readonly position: bigint;
}

const cursorOf = (id: string): string => `plugin:${id}`;

export class InstanceStore {
  constructor(private readonly database: Database) {}

  insert = (tx: Transaction, row: InstanceValues) => tx.pluginInstance.create({ data: withJson(row, 'settings') });

  list = (projectId: string) =>
    this.database.read.pluginInstance.findMany({ where: { projectId }, orderBy: { id: 'asc' } });

  find = (projectId: string, id: string, reader: Reader | Transaction = this.database.read) =>
    reader.pluginInstance.findFirst({ where: { projectId, id } });

  ofPlugin = (projectId: string, pluginSlug: string, reader: Reader | Transaction = this.database.read) =>
    reader.pluginInstance.findUnique({ where: { projectId_pluginSlug: { projectId, pluginSlug } } });

  byIds = (ids: readonly string[]): Promise<InstanceRow[]> =>
    this.database.read.pluginInstance.findMany({ where: { id: { in: [...ids] } } });

  update = (tx: Transaction, id: string, fields: Partial<InstanceValues>) =>
    tx.pluginInstance.update({ where: { id }, data: withJson(fields, 'settings') });

  async remove(tx: Transaction, id: string): Promise<void> {
    await cursors.close(tx, [cursorOf(id)]);
    await tx.pluginInstance.delete({ where: { id } });
  }

  /** Reads from here on. */
  beginAt = (tx: Transaction, { id, tenantId, projectId }: InstanceRow, position: bigint, updatedAt: Date) =>
    cursors.open(tx, { name: cursorOf(id), tenantId, projectId, position, updatedAt });

  /** Reads no more. */
  stopAt = (tx: Transaction, id: string) => cursors.close(tx, [cursorOf(id)]);

  /** false: one of them is elsewhere. */
  advance = (tx: Transaction, ids: readonly string[], step: { from: bigint; to: bigint; at: Date }) =>
    cursors.moveAll(tx, ids.map(cursorOf), step);

  /** Enabled instances of projects within reach, up to `limit` after an id. */
  async listening(after: string, limit = idsAtOnce): Promise<ListeningInstance[]> {
    const rows: InstanceRow[] = await this.database.read.pluginInstance.findMany({
      where: { enabled: true, project: projectInReach, id: { gt: after } },
      orderBy: { id: 'asc' },
      take: limit,
    });
    const places = await cursors.places(
      this.database.read,
      rows.map(({ id }) => cursorOf(id)),
    );
    return rows.flatMap((row) => {
      const position = places.get(cursorOf(row.id));
      return position === undefined ? [] : [{ ...row, position }];
    });
  }
}
