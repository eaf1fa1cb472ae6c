/** Orders of authorities: entered once, in the case of their person or room, and answered. */

import { storableTime } from '../../../../src/contract/common.js';
import { DomainError } from '../../../../src/contract/errors.js';
import type {
  CreateOrderRequest,
  Order,
  OrderListQuery,
  OrderListResponse,
  UpdateOrderRequest,
} from '../../../../src/contract/reports/orders.js';
import type { Database } from '../../../platform/database/database.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import { hourMs } from '../../../platform/time/spans.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { CaseIntake } from '../cases/intake.js';
import type { ReportSettingsService } from '../settings/service.js';
import { type OrderStore, orderEvent, toOrder } from './order-store.js';

interface OrderServiceNeeds {
  readonly database: Database;
  readonly log: Pick<EventLog, 'append'>;
  readonly orders: OrderStore;
  readonly settings: Pick<ReportSettingsService, 'requireCategory'>;
  readonly intake: Pick<CaseIntake, 'addOrder' | 'orderDecided'>;
  readonly people: Pick<ParticipantDirectory, 'lock'>;
  readonly now: Clock;
}

export class OrderService {
  constructor(private readonly needs: OrderServiceNeeds) {}

  /** Throws report_category_unknown. */
  async create({ projectId, tenantId }: ProjectGrant, request: CreateOrderRequest): Promise<Order> {
    const { externalUserId = null, roomId = null, receivedAt, dueAt, ...fields } = request;
    const { goalHours } = await this.needs.settings.requireCategory(projectId, request.category);
    const row = await this.needs.database.transaction(async (tx) => {
      const now = this.needs.now();
      const known = await this.needs.orders.same(tx, { projectId, ...fields });
      if (known !== null) return known;
      if (externalUserId !== null) await this.needs.people.lock(tx, projectId, [externalUserId]);
      const received = new Date(receivedAt ?? now);
      const stored = await this.needs.orders.insert(tx, {
        ...{ id: uuidv7(), tenantId, projectId, ...fields, externalUserId, roomId, caseId: null },
        ...{ status: 'open', outcome: null, receiptConfirmedAt: null, decidedAt: null },
        receivedAt: received,
        dueAt: dueAt === undefined ? storableTime(received.getTime() + goalHours * hourMs) : new Date(dueAt),
        ...{ createdAt: now, updatedAt: now },
      });
      const joined = await this.needs.intake.addOrder(tx, stored);
      await this.needs.log.append(tx, orderEvent('order.created', joined));
      return joined;
    });
    return toOrder(row);
  }

  async list(projectId: string, query: OrderListQuery): Promise<OrderListResponse> {
    const { rows, total } = await this.needs.orders.list(projectId, query);
    return { orders: rows.map(toOrder), total, limit: query.limit, offset: query.offset };
  }

  /** Throws order_not_found. */
  async get(projectId: string, id: string): Promise<Order> {
    const row = await this.needs.orders.find(projectId, id);
    if (row === null) throw new DomainError('order_not_found');
    return toOrder(row);
  }

  /** Throws order_not_found, order_decided. */
  async update(projectId: string, id: string, by: string, request: UpdateOrderRequest): Promise<Order> {
    const { receiptConfirmedAt, outcome, decidedAt } = request;
    const row = await this.needs.database.transaction(async (tx) => {
      await this.needs.database.takeTurn(tx, `order:${id}`);
      const before = await this.needs.orders.find(projectId, id, tx);
      if (before === null) throw new DomainError('order_not_found');
      if (outcome !== undefined && before.status === 'decided') throw new DomainError('order_decided');
      const now = this.needs.now();
      const after = await this.needs.orders.update(tx, id, {
        ...(receiptConfirmedAt === undefined ? {} : { receiptConfirmedAt: new Date(receiptConfirmedAt) }),
        ...(outcome === undefined ? {} : { status: 'decided', outcome, decidedAt: new Date(decidedAt ?? now) }),
        updatedAt: now,
      });
      if (outcome !== undefined) await this.needs.intake.orderDecided(tx, after, by);
      await this.needs.log.append(tx, orderEvent('order.updated', after, before));
      return after;
    });
    return toOrder(row);
  }
}
