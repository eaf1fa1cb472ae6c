/** Removes the data of events from the log. The event itself stays, so that the log has no gaps. */
import { EventAction } from '../../../src/contract/events.js';
import { remainingOf } from '../../../src/contract/remaining-fields.js';
import type { Database, Reader, Transaction } from '../database/database.js';
import { inCurrentForm } from './current-form.js';
import { namesPerson, personIn } from './named-people.js';
import { unpacked } from './packed.js';
import { logStatements, redactedRows, subjectRows } from './sql.js';

export interface RedactableEvent {
  readonly id: string;
  readonly type: string;
  readonly resourceId: string;
  /** JSON: action, data, changes; or packed, where it names nobody but the subject. */
  readonly payload: string;
}

/** A resource, and the external user id of the person whom its events are about; null: about no person. */
export interface EventSubject {
  readonly subjectUserId: string | null;
  readonly resourceId: string;
}

/** Removes the data of events from the log and from deliveries. */
export interface ResourceRedaction {
  /** Redacts the events of these resources for which `concerns` holds. */
  resources(
    tx: Transaction,
    projectId: string,
    resources: readonly EventSubject[],
    concerns?: (event: RedactableEvent) => boolean,
  ): Promise<void>;
}

/** A person to be erased. */
export interface NamedPerson {
  /** Participant id. */
  readonly id: string;
  readonly externalUserId: string;
}

/** Replaces the person in resource names that a service chose. */
const erasedId = 'erased';

/** True if parsed JSON names the person in a field that holds people's ids. */
export const names = (value: unknown, { id, externalUserId }: NamedPerson): boolean =>
  namesPerson(value, new Set([id, externalUserId]));

/** The resource's name without the person: it, or a service, may have been named by them. */
export const resourceWithout = (resourceId: string, { externalUserId }: Pick<NamedPerson, 'externalUserId'>): string =>
  personIn(resourceId) === externalUserId ? resourceId.slice(0, -externalUserId.length) + erasedId : resourceId;

/**
 * Returns the payload that remains: the action, the id of the resource, and of which kind the event was. A field that names
 * the person does not remain.
 */
export function redactedPayload(
  { type, resourceId, payload }: Omit<RedactableEvent, 'id'>,
  person: NamedPerson | null = null,
): string {
  const { action, data, changes } = readable(payload);
  const kept = (fields: unknown) =>
    Object.fromEntries(
      Object.entries(remainingOf(type, fields)).filter(
        ([field, value]) => person === null || !isPersonal(field, value, person),
      ),
    );
  const before = kept(changes);
  return JSON.stringify({
    action,
    data: { id: resourceId.slice(resourceId.indexOf(':') + 1), redacted: true, ...kept(inCurrentForm(type, data)) },
    ...(Object.keys(before).length === 0 ? {} : { changes: before }),
  });
}

/** The name of a room may contain that of a person. */
const isPersonal = (field: string, value: unknown, person: NamedPerson): boolean =>
  names({ [field]: value }, person) ||
  (field === 'roomId' && typeof value === 'string' && value.includes(person.externalUserId));

function readable(payload: string): { action: EventAction; data?: unknown; changes?: unknown } {
  try {
    const { action, data, changes } = JSON.parse(unpacked(payload));
    return { action: EventAction.parse(action), data, changes };
  } catch {
    return { action: 'occurred' }; // it could not be read before either
  }
}

/** Events that one transaction redacts, and events about nobody that are looked through at once, ahead of an erasure. */
const redactedAtOnce = 500;
const namelessAtOnce = 2_000;

export class EventRedaction {
  private readonly sql;

  constructor(private readonly database: Database) {
    this.sql = logStatements[database.dialect];
  }

  /** The events of these resources. */
  async eventsOf(
    reader: Pick<Reader | Transaction, '$queryRawUnsafe'>,
    projectId: string,
    resources: readonly EventSubject[],
  ): Promise<RedactableEvent[]> {
    if (resources.length === 0) return [];
    return reader.$queryRawUnsafe<RedactableEvent[]>(this.sql.resourceEvents, subjectRows.text(resources), projectId);
  }

  /**
   * Removes a person's data from the events about them, and from those up to a position that name them, a few
   * at a time, so that others can write in between. The last transaction of an erasure is then short, however much is
   * known of the person.
   */
  async ahead(projectId: string, person: NamedPerson, to: bigint): Promise<void> {
    for (let count = redactedAtOnce; count === redactedAtOnce; )
      count = await this.database.transaction(async (tx) => {
        const events = await this.about(tx, projectId, person, redactedAtOnce);
        await this.redact(tx, events, person);
        return events.length;
      });
    for (let after = 0n; after < to; ) {
      const end = await this.namelessEnd(projectId, after, to);
      const events = await this.naming(this.database.read, projectId, person, { after, to: end });
      if (events.length > 0)
        await this.database.transaction(async (tx) =>
          this.redact(tx, await this.naming(tx, projectId, person, { after, to: end }), person),
        );
      after = end;
    }
  }

  /** Redacts every event about the person, and events after `after` that name them. */
  async person(tx: Transaction, projectId: string, person: NamedPerson, after: bigint): Promise<void> {
    const about = await this.about(tx, projectId, person, Number.MAX_SAFE_INTEGER);
    const naming = await this.naming(tx, projectId, person, { after, to: lastPosition });
    await this.redact(tx, [...about, ...naming], person);
  }

  /** Ids of the events about nobody after a position. */
  async namelessAfter(tx: Transaction, projectId: string, after: bigint): Promise<string[]> {
    const where = { projectId, subjectUserId: null, position: { gt: after } };
    return (await tx.domainEvent.findMany({ where, select: { id: true } })).map(({ id }) => id);
  }

  /** `person`: whose name the events lose; null: they are redacted for another reason. */
  async redact(tx: Transaction, events: readonly RedactableEvent[], person: NamedPerson | null = null): Promise<void> {
    if (events.length === 0) return;
    const rows = events.map(({ id, type, payload, ...event }) => {
      const resourceId = person === null ? event.resourceId : resourceWithout(event.resourceId, person);
      return { id, resourceId, payload: redactedPayload({ type, resourceId, payload }, person), subjectUserId: null };
    });
    await this.database.write(tx, this.sql.redact, await redactedRows.prepare(this.database.dialect, rows));
  }

  private about(tx: Transaction, projectId: string, { externalUserId }: NamedPerson, limit: number) {
    return tx.$queryRawUnsafe<RedactableEvent[]>(this.sql.subjectEvents, projectId, externalUserId, BigInt(limit));
  }

  private async namelessEnd(projectId: string, after: bigint, to: bigint): Promise<bigint> {
    type Row = { readonly position: bigint | number };
    const [last] = await this.database.read.$queryRawUnsafe<Row[]>(
      this.sql.namelessEnd,
      ...[projectId, after, to, namelessAtOnce - 1],
    );
    return last === undefined ? to : BigInt(last.position);
  }

  /** Events about nobody that name the person, by participant id or external user id. */
  private async naming(
    reader: Pick<Reader | Transaction, '$queryRawUnsafe'>,
    projectId: string,
    person: NamedPerson,
    { after, to }: { readonly after: bigint; readonly to: bigint },
  ): Promise<RedactableEvent[]> {
    const { id, externalUserId } = person;
    const texts = [id, JSON.stringify(externalUserId).slice(1), externalUserId];
    const rows = await reader.$queryRawUnsafe<RedactableEvent[]>(this.sql.namingEvents, projectId, after, to, ...texts);
    return rows.filter(
      ({ resourceId, payload }) =>
        payload.includes(id) || resourceWithout(resourceId, person) !== resourceId || isNamedIn(payload, person),
    );
  }
}

/** An unreadable event counts as about everybody whose id it contains. */
function isNamedIn(payload: string, person: NamedPerson): boolean {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return true;
  }
  return names(value, person);
}

const lastPosition = 2n ** 63n - 1n;
