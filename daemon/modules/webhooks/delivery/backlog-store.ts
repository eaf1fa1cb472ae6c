/** Ranges of the log that subscriptions still have to be sent. */

import type { Database, Transaction } from '../../../platform/database/database.js';
import type { AppendedRange } from '../../../platform/events/logged.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';

/** Tenants whose turn one look at the table finds. */
const tenantsAtOnce = 100;

export interface BacklogRow {
  readonly id: string;
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly projectId: string;
  /** Everything up to here has its delivery. */
  readonly position: bigint;
  /** Position of the last event. */
  readonly end: bigint;
}

/** A subscription that a range of the log still has to be sent to. */
export interface WaitingSubscription {
  readonly id: string;
  readonly tenantId: string;
}

export class BacklogStore {
  constructor(private readonly database: Database) {}

  async insert(
    tx: Transaction,
    subscriptions: readonly WaitingSubscription[],
    { after, to }: AppendedRange,
  ): Promise<void> {
    const rows = subscriptions.map(({ id, tenantId }) => ({
      id: uuidv7(),
      tenantId,
      subscriptionId: id,
      position: after,
      end: to,
    }));
    await tx.webhookBacklog.createMany({ data: rows });
  }

  /** The oldest row, of all subscriptions but these, of each of some tenants: the next behind `after`, or the first. */
  async oldest(except: ReadonlySet<string>, after: string): Promise<BacklogRow[]> {
    const { webhookBacklog } = this.database.read;
    const found = await webhookBacklog.groupBy({
      by: ['tenantId'],
      orderBy: { tenantId: 'asc' },
      take: tenantsAtOnce,
      where: { tenantId: { gt: after }, subscriptionId: { notIn: [...except] } },
      _min: { id: true },
    });
    if (found.length === 0 && after !== '') return this.oldest(except, '');
    const where = { id: { in: found.flatMap(({ _min }) => _min.id ?? []) } };
    const include = { subscription: { select: { projectId: true } } };
    const rows = await webhookBacklog.findMany({ where, include, orderBy: { tenantId: 'asc' } });
    return rows.map(({ subscription, ...row }) => ({ ...row, projectId: subscription.projectId }));
  }

  /** Nothing happens where another daemon has moved it in the meantime. */
  async advance(tx: Transaction, { id, position }: BacklogRow, to: bigint): Promise<void> {
    await tx.webhookBacklog.updateMany({ where: { id, position }, data: { position: to } });
  }

  remove = (tx: Transaction, { id }: BacklogRow) => tx.webhookBacklog.deleteMany({ where: { id } });

  /** The first position after which events are needed; null: none. */
  neededAfter = async (tx: Transaction): Promise<bigint | null> =>
    (await tx.webhookBacklog.findFirst({ orderBy: { position: 'asc' } }))?.position ?? null;
}
