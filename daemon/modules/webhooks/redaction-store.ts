/** Removes what concerns a person from what is delivered, and from answers that may repeat it. */
import type { Database, Transaction } from '../../platform/database/database.js';
import { type NamedPerson, names, redactedPayload, resourceWithout } from '../../platform/events/redaction.js';
import type { MovingPerson } from '../../platform/module.js';
import type { Content, WebhookEventRow } from './delivery-rows.js';
import { envelopeOf } from './envelope.js';
import { redactedRows, webhookStatements } from './sql.js';

export type RedactedDelivery = Pick<WebhookEventRow, 'id' | 'projectId'> & Pick<Content, 'subjectUserId'>;
type Payload = Content & { readonly eventId: string };

/** Payloads that one transaction redacts ahead of an erasure. */
const redactedAtOnce = 500;

export class DeliveryRedaction {
  private readonly sql;

  constructor(private readonly database: Database) {
    this.sql = webhookStatements[database.dialect];
  }

  /** Removes a person's data from the payloads about them, a little at a time: others write in between. */
  async ahead(projectId: string, person: NamedPerson, redactedAt: Date): Promise<void> {
    for (let count = redactedAtOnce; count === redactedAtOnce; )
      count = await this.database.transaction(async (tx) => {
        const parameters = [projectId, person.externalUserId, redactedAtOnce];
        const rows = await tx.$queryRawUnsafe<Payload[]>(this.sql.about, ...parameters);
        await this.redactAll(tx, rows, redactedAt, person);
        return rows.length;
      });
  }

  /** Removes a person's data from delivered and pending payloads, and from answers that may repeat it. */
  async redact(tx: Transaction, projectId: string, person: NamedPerson, redactedAt: Date): Promise<void> {
    const { id: participantId, externalUserId } = person;
    const texts = [participantId, JSON.stringify(externalUserId).slice(1)];
    const rows = await tx.$queryRawUnsafe<Payload[]>(this.sql.naming, projectId, externalUserId, ...texts);
    const naming = rows.filter(({ payload, subjectUserId }) => {
      const envelope = envelopeOf(payload);
      if (envelope === null || subjectUserId !== null || payload.includes(participantId)) return true;
      return names({ resourceId: envelope.resourceId, payload: envelope.payload }, person);
    });
    await this.redactAll(tx, naming, redactedAt, person);
  }

  /** Payloads about a person are about them under the other external user id. */
  async move(tx: Transaction, { projectId, from, to }: MovingPerson): Promise<void> {
    await tx.webhookPayload.updateMany({ where: { projectId, subjectUserId: from }, data: { subjectUserId: to } });
  }

  /** Removes these events' data from payloads and from the answers; returns the deliveries as they were. */
  async redactEvents(tx: Transaction, eventIds: readonly string[], redactedAt: Date): Promise<RedactedDelivery[]> {
    const rows = await tx.webhookPayload.findMany({
      where: { eventId: { in: [...eventIds] } },
      orderBy: { eventId: 'asc' },
      include: { deliveries: { select: { id: true } } },
    });
    await this.redactAll(tx, rows, redactedAt, null);
    return rows.flatMap(({ projectId, subjectUserId, deliveries }) =>
      deliveries.map(({ id }) => ({ id, projectId, subjectUserId })),
    );
  }

  /** `person`: whose name resources lose; null: they keep theirs. */
  private async redactAll(
    tx: Transaction,
    payloads: readonly Pick<Payload, 'eventId' | 'payload'>[],
    redactedAt: Date,
    person: NamedPerson | null,
  ): Promise<void> {
    if (payloads.length === 0) return;
    const rows = payloads.map(({ eventId, payload }) => ({
      ...{ eventId, subjectUserId: null, redactedAt },
      payload: redacted(eventId, payload, person),
    }));
    await this.database.write(tx, this.sql.redact, await redactedRows.prepare(this.database.dialect, rows));
    await tx.$executeRawUnsafe(this.sql.forgetAnswers, JSON.stringify(rows.map(({ eventId }) => eventId)));
  }
}

/** The envelope without the data of its event. */
function redacted(eventId: string, payload: string, person: NamedPerson | null): string {
  const event = envelopeOf(payload) ?? { id: eventId, resourceId: `event:${eventId}`, payload: null };
  const resourceId = person === null ? event.resourceId : resourceWithout(event.resourceId, person);
  const left = JSON.parse(redactedPayload({ resourceId, payload: JSON.stringify(event.payload) }));
  return JSON.stringify({ ...event, resourceId, payload: left });
}
