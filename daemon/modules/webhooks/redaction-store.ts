/** Removes what concerns a person from what is delivered, and from answers that may repeat it. */
import type { Database, Transaction } from '../../platform/database/database.js';
import { type NamedPerson, names, redactedPayload, resourceWithout } from '../../platform/events/redaction.js';
import type { Content, WebhookEventRow } from './delivery-rows.js';
import { envelopeOf } from './envelope.js';
import { webhookStatements } from './sql.js';

export type RedactedDelivery = Pick<WebhookEventRow, 'id' | 'projectId'> & Pick<Content, 'subjectUserId'>;

export class DeliveryRedaction {
  constructor(private readonly database: Pick<Database, 'dialect'>) {}

  /** Removes a person's data from delivered and pending payloads, and from answers that may repeat it. */
  async redact(tx: Transaction, projectId: string, person: NamedPerson, redactedAt: Date): Promise<void> {
    type Row = Content & { readonly eventId: string };
    const { id: participantId, externalUserId } = person;
    const texts = [participantId, JSON.stringify(externalUserId).slice(1)];
    const { naming } = webhookStatements[this.database.dialect];
    for (const row of await tx.$queryRawUnsafe<Row[]>(naming, projectId, externalUserId, ...texts)) {
      const envelope = envelopeOf(row.payload);
      const isNamed =
        envelope === null ||
        row.subjectUserId !== null ||
        row.payload.includes(participantId) ||
        names({ resourceId: envelope.resourceId, payload: envelope.payload }, person);
      const resourceId = envelope === null ? undefined : resourceWithout(envelope.resourceId, person);
      if (isNamed) await this.redactOne(tx, row, redactedAt, resourceId);
    }
  }

  /** Removes these events' data from payloads and from the answers; returns the deliveries as they were. */
  async redactEvents(tx: Transaction, eventIds: readonly string[], redactedAt: Date): Promise<RedactedDelivery[]> {
    const rows = await tx.webhookPayload.findMany({
      where: { eventId: { in: [...eventIds] } },
      orderBy: { eventId: 'asc' },
      include: { deliveries: { select: { id: true } } },
    });
    for (const row of rows) await this.redactOne(tx, row, redactedAt);
    return rows.flatMap(({ projectId, subjectUserId, deliveries }) =>
      deliveries.map(({ id }) => ({ id, projectId, subjectUserId })),
    );
  }

  private async redactOne(
    tx: Transaction,
    { eventId, payload }: { eventId: string; payload: string },
    redactedAt: Date,
    resourceId?: string,
  ): Promise<void> {
    const event = envelopeOf(payload) ?? { id: eventId, resourceId: `event:${eventId}`, payload: null };
    const called = resourceId ?? event.resourceId;
    const left = JSON.parse(redactedPayload({ resourceId: called, payload: JSON.stringify(event.payload) }));
    const redacted = JSON.stringify({ ...event, resourceId: called, payload: left });
    await tx.webhookPayload.update({
      where: { eventId },
      data: { payload: redacted, subjectUserId: null, redactedAt },
    });
    await tx.webhookAttempt.updateMany({ where: { event: { eventId } }, data: { responseSnippet: null } });
  }
}
