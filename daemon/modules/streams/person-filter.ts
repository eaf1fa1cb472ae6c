/** Selects the events about a person: every one that names them as a person, whatever it is about. */
import type { DomainEvent } from '../../../src/contract/events.js';

/** Fields of event data that hold the external id or the participant id of a person. */
const personFields: ReadonlySet<string> = new Set([
  'externalUserId',
  'participantId',
  'ownerId',
  'userId',
  'user_id',
  'memberId',
  'member_id',
  'movedFrom',
]);
/** Kinds of audit targets whose id is that of a person. */
const personKinds: ReadonlySet<string> = new Set(['person', 'participant', 'player']);

export class PersonFilter {
  private readonly ids: ReadonlySet<string>;
  private readonly resources: ReadonlySet<string>;
  /** As event payloads spell the ids; an event without any of them concerns somebody else. */
  readonly texts: readonly string[];

  /** @param ids External and participant ids of the person, those from before a move included. */
  constructor(ids: Iterable<string>) {
    this.ids = new Set(ids);
    this.resources = new Set([...this.ids].map((id) => `participant:${id}`));
    this.texts = [...this.ids].map((id) => JSON.stringify(id));
  }

  concerns({ resourceId, payload }: DomainEvent): boolean {
    return this.resources.has(resourceId) || this.isNamedIn(payload.data);
  }

  private isNamedIn(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false;
    if (Array.isArray(value)) return value.some((one) => this.isNamedIn(one));
    const { kind, id } = value as { readonly kind?: unknown; readonly id?: unknown };
    if (typeof kind === 'string' && personKinds.has(kind) && this.isTheirs(id)) return true;
    return Object.entries(value).some(([field, one]) =>
      personFields.has(field) ? this.isTheirs(one) : this.isNamedIn(one),
    );
  }

  /** True if the value is an id of the person. */
  isTheirs(id: unknown): boolean {
    return typeof id === 'string' && this.ids.has(id);
  }
}
