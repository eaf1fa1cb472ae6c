/** Rows of the log of deliveries, and how the API shows them. */
import {
  type DeliveryStatus,
  deliveryStatuses,
  type WebhookEvent,
  type WebhookEventDetail,
} from '../../../src/contract/webhooks/webhook-events.js';
import { oneOf, timeOrNull } from '../../platform/database/column-values.js';
import type { LoggedEvent } from '../../platform/events/logged.js';
import { envelopeOf } from './envelope.js';

export interface WebhookEventRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly status: string;
  readonly attemptsCount: number;
  readonly attemptsBefore: number;
  readonly lastError: string | null;
  readonly nextAttemptAt: Date | null;
  /** null: of the event itself, not of a replay. */
  readonly replayPosition: bigint | null;
  readonly createdAt: Date;
}

/** The payload of an event, shared by all of its subscriptions. */
export interface Content {
  /** JSON envelope. */
  readonly payload: string;
  /** External user id of the person whom the event is about. */
  readonly subjectUserId: string | null;
  /** When a person's data was removed from it. */
  readonly redactedAt: Date | null;
}

export interface NewPayload extends Omit<Content, 'redactedAt'> {
  readonly eventId: string;
  readonly projectId: string;
}

/** `payload`: the event as JSON. */
export const payloadOf = (
  { event, subjectUserId }: Pick<LoggedEvent, 'event' | 'subjectUserId'>,
  projectId: string,
  payload = JSON.stringify(event),
): NewPayload => ({ eventId: event.id, projectId, payload, subjectUserId });

/** A pending delivery that has not been attempted; due from `createdAt` on. */
export type NewDelivery = Omit<
  WebhookEventRow,
  'status' | 'attemptsCount' | 'attemptsBefore' | 'lastError' | 'nextAttemptAt'
>;

/** The filters of the log of deliveries. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly subscriptionId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly eventType?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** All of it except the payload, which the deliveries of an event share. */
export const toDeliveryState = (row: WebhookEventRow): Omit<WebhookEvent, 'payload'> => ({
  id: row.id,
  tenantId: row.tenantId,
  projectId: row.projectId,
  subscriptionId: row.subscriptionId,
  eventId: row.eventId,
  eventType: row.eventType,
  status: oneOf(deliveryStatuses, row.status) ?? 'pending',
  attemptsCount: row.attemptsCount,
  lastError: row.lastError,
  nextAttemptAt: timeOrNull(row.nextAttemptAt),
  createdAt: row.createdAt.toISOString(),
});

export const toWebhookEvent = (row: WebhookEventRow & { readonly content: Content }): WebhookEvent => ({
  ...toDeliveryState(row),
  payload: envelopeOf(row.content.payload),
});

export interface AttemptRow {
  readonly id: string;
  readonly webhookEventId: string;
  readonly attempt: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly responseSnippet: string | null;
}

export const toDetail = (
  row: WebhookEventRow & { readonly content: Content; readonly attempts: readonly AttemptRow[] },
): WebhookEventDetail => ({
  ...toWebhookEvent(row),
  deliveries: row.attempts.map(({ webhookEventId: _, startedAt, ...attempt }) => ({
    ...attempt,
    startedAt: startedAt.toISOString(),
  })),
});
