/** Removes a person's data from payloads, and from answers of receivers that may repeat it. */
import type { Database, Transaction } from '../../platform/database/database.js';
import { type NamedPerson, names, redactedPayload, resourceWithout } from '../../platform/events/redaction.js';
import type { Content, WebhookEventRow } from './delivery-rows.js';
import { envelopeOf } from './envelope.js';
import { redactedRows, webhookStatements } from './sql.js';

type RedactedDelivery = Pick<WebhookEventRow, 'id' | 'projectId'> & Pick<Content, 'subjectUserId'>;
type Payload = Content & { readonly eventId: string };

/** Ahead of an erasure: payloads that one transaction redacts, and those about nobody that are looked through at once. */
const redactedAtOnce = 500;
const namelessAtOnce = 2_000;
/** Behind every event id. */
const behindAll = 'g';

export class DeliveryRedaction {
  private readonly sql;

  constructor(private readonly database: Database) {
    this.sql = webhookStatements[database.dialect];
  }

  /**
   * Removes a person's data from the payloads about them, and from those about nobody that name them, a few at a time,
   * so that others can write in between. Called after the log is redacted, so that deliveries queued from it later
   * contain nothing about them either.
   */
  async ahead(projectId: string, person: NamedPerson, redactedAt: Date): Promise<void> {
    for (let count = redactedAtOnce; count === redactedAtOnce; )
      count = await this.database.transaction(async (tx) => {
        const rows = await this.about(tx, projectId, person, redactedAtOnce);
        await this.redactAll(tx, rows, redactedAt, person);
        return rows.length;
      });
    for (let after = ''; after !== behindAll; ) {
      const end = await this.namelessEnd(projectId, after);
      const eventIds = await this.naming(projectId, person, after, end);
      if (eventIds.length > 0)
        await this.database.transaction(async (tx) =>
          this.redactAll(tx, await this.namingOf(tx, eventIds, person), redactedAt, person),
        );
      after = end;
    }
  }

  /**
   * Redacts every payload about the person, and payloads of the given events that name them. Also deletes what their
   * answers may repeat.
   */
  async redact(
    tx: Transaction,
    projectId: string,
    person: NamedPerson,
    eventIds: readonly string[],
    redactedAt: Date,
  ): Promise<void> {
    const about = await this.about(tx, projectId, person, Number.MAX_SAFE_INTEGER);
    await this.redactAll(tx, [...about, ...(await this.namingOf(tx, eventIds, person))], redactedAt, person);
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

  private about(tx: Transaction, projectId: string, { externalUserId }: NamedPerson, limit: number) {
    return tx.$queryRawUnsafe<Payload[]>(this.sql.about, projectId, externalUserId, BigInt(limit));
  }

  private async namelessEnd(projectId: string, after: string): Promise<string> {
    const parameters = [projectId, after, namelessAtOnce - 1];
    const [last] = await this.database.read.$queryRawUnsafe<Pick<Payload, 'eventId'>[]>(
      this.sql.namelessEnd,
      ...parameters,
    );
    return last?.eventId ?? behindAll;
  }

  /** Events whose payload about nobody may name the person. */
  private async naming(projectId: string, person: NamedPerson, after: string, to: string): Promise<string[]> {
    const rows = await this.database.read.$queryRawUnsafe<Pick<Payload, 'eventId'>[]>(
      this.sql.naming,
      ...[projectId, after, to, ...textsOf(person)],
    );
    return rows.map(({ eventId }) => eventId);
  }

  /** Returns the payloads about nobody that name the person. */
  private async namingOf(tx: Transaction, eventIds: readonly string[], person: NamedPerson): Promise<Payload[]> {
    if (eventIds.length === 0) return [];
    const parameters = [JSON.stringify(eventIds), ...textsOf(person)];
    const rows = await tx.$queryRawUnsafe<Payload[]>(this.sql.namingOf, ...parameters);
    return rows.filter(({ payload }) => {
      const envelope = envelopeOf(payload);
      if (envelope === null || payload.includes(person.id)) return true;
      return names({ resourceId: envelope.resourceId, payload: envelope.payload }, person);
    });
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
      eventId,
      subjectUserId: null,
      redactedAt,
      payload: redacted(eventId, payload, person),
    }));
    await this.database.write(tx, this.sql.redact, await redactedRows.prepare(this.database.dialect, rows));
    await tx.$executeRawUnsafe(this.sql.clearAnswers, JSON.stringify(rows.map(({ eventId }) => eventId)));
  }
}

/** As they stand in a payload: the participant's id, and the external user id at the end of a value. */
const textsOf = ({ id, externalUserId }: NamedPerson): string[] => [id, JSON.stringify(externalUserId).slice(1)];

/** The envelope without the data of its event. */
function redacted(eventId: string, payload: string, person: NamedPerson | null): string {
  const event = envelopeOf(payload) ?? { id: eventId, resourceId: `event:${eventId}`, payload: null };
  const resourceId = person === null ? event.resourceId : resourceWithout(event.resourceId, person);
  const { type = '' } = event;
  const left = JSON.parse(redactedPayload({ type, resourceId, payload: JSON.stringify(event.payload) }, person));
  return JSON.stringify({ ...event, resourceId, payload: left });
}
