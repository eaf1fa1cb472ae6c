/** Selects the events about a person: every one that names them as a person, whatever it is about. */
import type { DomainEvent } from '../../../src/contract/events.js';
import { namesPerson } from '../../platform/events/named-people.js';
import { textField } from '../../platform/events/text-field.js';

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
    return this.resources.has(resourceId) || namesPerson(payload.data, this.ids);
  }

  /** The ids that the person has after this event too, where it moves them. */
  newIdsIn(event: DomainEvent): string[] {
    if (event.type !== 'participant.moved' || !this.concerns(event)) return [];
    const { data } = event.payload;
    return ['id', 'externalUserId', 'movedFrom', 'joinedId'].flatMap((field) => textField(data, field) ?? []);
  }

  with = (ids: readonly string[]): PersonFilter => new PersonFilter([...this.ids, ...ids]);

  /** True if the value is an id of the person. */
  isTheirs(id: unknown): boolean {
    return typeof id === 'string' && this.ids.has(id);
  }
}
