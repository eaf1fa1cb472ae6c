/**
 * Orders of authorities: to act against illegal content, Regulation (EU) 2022/2065, Article 9, and to give information,
 * Article 10. They join the case of their person or room.
 */
import { z } from 'zod';
import {
  ExternalUserId,
  ItemPath,
  isVisible,
  madeQuery,
  notVisible,
  PageInfo,
  PageQuery,
  ProjectPath,
  RoomId,
  Timestamp,
  TimestampInput,
} from '../common.js';
import { defineRoute } from '../route.js';
import { CategoryName } from './report-settings.js';

const OrderKind = z.enum(['act', 'give_information']);
const OrderStatus = z.enum(['open', 'decided']);
export const OrderOutcome = z.enum(['effect_given', 'information_given', 'no_effect']);
export type OrderOutcome = z.infer<typeof OrderOutcome>;

const memberStates = [
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE', 'IT', 'LT', 'LU'],
  ...['LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
] as const;

const line = (max: number) => z.string().trim().min(1).max(max).refine(isVisible, notVisible);
const orderFields = {
  kind: OrderKind.describe('act: against illegal content (Article 9); give_information: about somebody (Article 10)'),
  authority: line(200).describe('Judicial or administrative authority that issued it'),
  memberState: z.enum(memberStates).describe('Member State of the authority, ISO 3166'),
  reference: line(200).describe('Reference number of the authority'),
  category: CategoryName,
  legalGround: line(1000).describe('Law that the order names'),
};

export const CreateOrderRequest = z
  .object({
    ...orderFields,
    externalUserId: ExternalUserId.optional().describe('Person it is about'),
    roomId: RoomId.optional().describe('Room it is about'),
    receivedAt: TimestampInput.optional().describe('When it arrived; default: now'),
    dueAt: TimestampInput.optional().describe('By when it must be carried out; default: the goal of its category'),
  })
  .refine(({ externalUserId, roomId }) => externalUserId !== undefined || roomId !== undefined, {
    path: ['externalUserId'],
    message: 'name the person or the room that the order is about',
  })
  .meta({ id: 'CreateOrderRequest' });
export type CreateOrderRequest = z.output<typeof CreateOrderRequest>;

export const UpdateOrderRequest = z
  .object({
    receiptConfirmedAt: TimestampInput.optional().describe('When the authority was told that the order arrived'),
    outcome: OrderOutcome.optional().describe('Ends the order; no_effect: it was not carried out'),
    decidedAt: TimestampInput.optional().describe('When effect was given; default: now'),
  })
  .refine(({ outcome, decidedAt }) => decidedAt === undefined || outcome !== undefined, {
    path: ['outcome'],
    message: 'is needed with decidedAt',
  })
  .meta({ id: 'UpdateOrderRequest' });
export type UpdateOrderRequest = z.output<typeof UpdateOrderRequest>;

export const Order = z
  .object({
    id: z.string(),
    tenantId: z.string(),
    projectId: z.string(),
    ...orderFields,
    category: z.string(),
    externalUserId: z.string().nullable().describe('Person it is about; null: a room, or the person was erased'),
    roomId: z.string().nullable().describe('Room it is about'),
    caseId: z.string().nullable().describe('The case that it belongs to'),
    status: OrderStatus,
    outcome: OrderOutcome.nullable(),
    receivedAt: Timestamp,
    dueAt: Timestamp.describe('By when it must be carried out'),
    receiptConfirmedAt: Timestamp.nullable().describe('When the authority was told that the order arrived'),
    decidedAt: Timestamp.nullable().describe('When effect was given, or refused'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Order' });
export type Order = z.infer<typeof Order>;

/** Form in events: what it says, and about whom, is shown to those alone who may read orders. */
export const AnnouncedOrder = Order.omit({
  externalUserId: true,
  roomId: true,
  caseId: true,
  authority: true,
  reference: true,
  legalGround: true,
}).meta({ id: 'AnnouncedOrder' });
export type AnnouncedOrder = z.infer<typeof AnnouncedOrder>;

export const OrderListResponse = PageInfo.extend({ orders: z.array(Order).describe('Newest first') }).meta({
  id: 'OrderListResponse',
});
export type OrderListResponse = z.infer<typeof OrderListResponse>;

const OrderListQuery = PageQuery.extend({
  status: OrderStatus.optional().describe('Only these'),
  kind: OrderKind.optional().describe('Only these'),
  externalUserId: ExternalUserId.optional().describe('Only orders about this person'),
  ...madeQuery('orders received'),
});
export type OrderListQuery = z.output<typeof OrderListQuery>;

const shared = { group: 'Cases', auth: ['apiKey', 'bearer'], role: 'moderator' } as const;
const path = '/api/projects/{projectId}/orders';

export const orderRoutes = {
  create: defineRoute({
    ...shared,
    operationId: 'createOrder',
    summary: 'Enter an order of an authority; it joins the case of its person or room.',
    description: 'An order of the same kind, authority and reference is stored once: the answer is the stored one.',
    method: 'post',
    path,
    scope: 'reports',
    params: ProjectPath,
    body: CreateOrderRequest,
    success: { status: 201, body: Order },
    errors: ['report_category_unknown'],
  }),
  list: defineRoute({
    ...shared,
    operationId: 'listOrders',
    summary: 'List orders of authorities, newest first.',
    method: 'get',
    path,
    scope: 'reports:read',
    params: ProjectPath,
    query: OrderListQuery,
    success: { status: 200, body: OrderListResponse },
    errors: [],
  }),
  get: defineRoute({
    ...shared,
    operationId: 'getOrder',
    summary: 'Show an order of an authority.',
    method: 'get',
    path: `${path}/{id}`,
    scope: 'reports:read',
    params: ItemPath,
    success: { status: 200, body: Order },
    errors: ['order_not_found'],
  }),
  update: defineRoute({
    ...shared,
    operationId: 'updateOrder',
    summary: 'Note that the receipt of an order was confirmed, or what came of it.',
    method: 'patch',
    path: `${path}/{id}`,
    scope: 'reports',
    params: ItemPath,
    body: UpdateOrderRequest,
    success: { status: 200, body: Order },
    errors: ['order_not_found', 'order_decided'],
  }),
};
