/** Rows of orders of authorities. */
import {
  AnnouncedOrder,
  type Order,
  type OrderListQuery,
  OrderOutcome,
  Order as Shape,
} from '../../../../src/contract/reports/orders.js';
import { timeOrNull } from '../../../platform/database/column-values.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { madeWithin } from '../../../platform/database/made-within.js';
import { newestFirst, type RowPage } from '../../../platform/database/row-page.js';
import { changesBetween } from '../../../platform/events/log.js';
import type { NewEvent } from '../../../platform/events/logged.js';

export interface OrderRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly kind: string;
  readonly authority: string;
  readonly memberState: string;
  readonly reference: string;
  readonly category: string;
  readonly legalGround: string;
  readonly externalUserId: string | null;
  readonly roomId: string | null;
  readonly caseId: string | null;
  readonly status: string;
  readonly outcome: string | null;
  readonly receivedAt: Date;
  readonly dueAt: Date;
  readonly receiptConfirmedAt: Date | null;
  readonly decidedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const { kind: Kind, memberState: MemberState, status: Status } = Shape.shape;

export const toOrder = (row: OrderRow): Order => ({
  ...row,
  kind: Kind.parse(row.kind),
  memberState: MemberState.parse(row.memberState),
  status: Status.parse(row.status),
  outcome: OrderOutcome.nullable().parse(row.outcome),
  receivedAt: row.receivedAt.toISOString(),
  dueAt: row.dueAt.toISOString(),
  receiptConfirmedAt: timeOrNull(row.receiptConfirmedAt),
  decidedAt: timeOrNull(row.decidedAt),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Form in events. */
const toAnnounced = (row: OrderRow): AnnouncedOrder => AnnouncedOrder.parse(toOrder(row));

export const orderEvent = (type: 'order.created' | 'order.updated', row: OrderRow, before?: OrderRow): NewEvent => ({
  type,
  tenantId: row.tenantId,
  projectId: row.projectId,
  resourceId: `order:${row.id}`,
  action: type === 'order.created' ? 'created' : 'updated',
  data: toAnnounced(row),
  ...(before === undefined ? {} : { changes: changesBetween(toAnnounced(before), toAnnounced(row)) ?? {} }),
  subjectUserId: null,
});

type OrderFilter = Omit<OrderListQuery, keyof RowPage>;
const whereOf = (projectId: string, { since, until, ...fields }: OrderFilter) => ({
  projectId,
  ...fields,
  ...madeWithin({ since, until }),
});

export class OrderStore {
  constructor(private readonly database: Database) {}

  insert = (tx: Transaction, row: OrderRow): Promise<OrderRow> => tx.authorityOrder.create({ data: row });

  update = (tx: Transaction, id: string, fields: Partial<OrderRow>): Promise<OrderRow> =>
    tx.authorityOrder.update({ where: { id }, data: fields });

  find = (
    projectId: string,
    id: string,
    reader: Database['read'] | Transaction = this.database.read,
  ): Promise<OrderRow | null> => reader.authorityOrder.findFirst({ where: { projectId, id } });

  /** The stored order with the same reference; nobody else stores it until the transaction ends. */
  async same(
    tx: Transaction,
    {
      projectId,
      kind,
      memberState,
      authority,
      reference,
    }: Pick<OrderRow, 'projectId' | 'kind' | 'memberState' | 'authority' | 'reference'>,
  ): Promise<OrderRow | null> {
    await this.database.takeTurn(tx, `order:${projectId}:${memberState}:${reference}`);
    return tx.authorityOrder.findFirst({ where: { projectId, kind, memberState, authority, reference } });
  }

  openIn = (tx: Transaction, caseId: string): Promise<OrderRow[]> =>
    tx.authorityOrder.findMany({ where: { caseId, status: 'open' }, orderBy: { id: 'asc' } });

  inCase = (tx: Transaction, caseId: string): Promise<OrderRow[]> =>
    tx.authorityOrder.findMany({ where: { caseId }, orderBy: { id: 'asc' } });

  /** Oldest first. */
  shownIn = (caseId: string, take: number): Promise<OrderRow[]> =>
    this.database.read.authorityOrder.findMany({ where: { caseId }, orderBy: { id: 'asc' }, take });

  /** The first open order to act in a case; null: none. */
  firstToAct = (caseId: string): Promise<OrderRow | null> =>
    this.database.read.authorityOrder.findFirst({
      where: { caseId, kind: 'act', status: 'open' },
      orderBy: { id: 'asc' },
    });

  async moveCase(tx: Transaction, from: string, to: string): Promise<void> {
    await tx.authorityOrder.updateMany({ where: { caseId: from }, data: { caseId: to } });
  }

  /** Moves the open orders about a person to another case. */
  async moveOpenAbout(tx: Transaction, from: string, to: string, externalUserId: string): Promise<void> {
    await tx.authorityOrder.updateMany({
      where: { caseId: from, externalUserId, status: 'open' },
      data: { caseId: to },
    });
  }

  /** Takes a person out of the orders about them. */
  async erase(tx: Transaction, projectId: string, externalUserId: string): Promise<void> {
    await tx.authorityOrder.updateMany({ where: { projectId, externalUserId }, data: { externalUserId: null } });
  }

  /** Newest first. */
  async list(projectId: string, { limit, offset, after, ...filter }: OrderListQuery) {
    const where = whereOf(projectId, filter);
    const [rows, total] = await Promise.all([
      this.database.read.authorityOrder.findMany(newestFirst(where, { limit, offset, after })),
      this.database.read.authorityOrder.count({ where }),
    ]);
    return { rows, total };
  }
}
