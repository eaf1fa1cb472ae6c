/** Erasures that a legal hold stops: remembered, and carried out once the hold is lifted. */

import type { LegalHold } from '../../../src/contract/people/person.js';
import type { Database, Reader, Transaction } from '../../platform/database/database.js';
import { type HeldIds, heldKey } from '../../platform/database/held-ids.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Clock } from '../../platform/time/clock.js';

interface HeldPerson {
  readonly projectId: string;
  readonly externalUserId: string;
}

/** Erasures that one run looks at. */
const atOnce = 100;

export class HeldErasureStore {
  constructor(
    private readonly database: Database,
    private readonly held: Pick<HeldIds, 'find' | 'among' | 'takeTurn'>,
    private readonly now: Clock,
  ) {}

  takeTurn = (tx: Transaction, projectId: string): Promise<void> => this.held.takeTurn(tx, projectId);

  /** The hold of a person by their ids; null: there is none. */
  async find(reader: Reader | Transaction, people: readonly HeldPerson[]): Promise<LegalHold | null> {
    const [first] = people;
    if (first === undefined) return null;
    const ids = people.map(({ externalUserId }) => externalUserId);
    const holds = await this.held.find(first.projectId, ids, reader);
    const [oldest] = holds;
    if (oldest === undefined) return null;
    const asked = await reader.erasureRequest.findFirst({
      where: { projectId: first.projectId, externalUserId: { in: ids } },
      orderBy: { requestedAt: 'asc' },
    });
    return {
      since: oldest.since.toISOString(),
      caseIds: [...new Set(holds.map(({ caseId }) => caseId))],
      erasureRequestedAt: asked?.requestedAt.toISOString() ?? null,
    };
  }

  /**
   * Remembers the erasure of a person on hold, under the id that they have now; null: they are not.
   *
   * @param names that they may be on hold by
   */
  async remember(
    person: HeldPerson & { readonly tenantId: string },
    names: readonly HeldPerson[],
  ): Promise<LegalHold | null> {
    if ((await this.find(this.database.read, names)) === null) return null;
    return this.database.transaction(async (tx) => {
      const { projectId, tenantId, externalUserId } = person;
      await this.held.takeTurn(tx, projectId);
      const hold = await this.find(tx, names);
      if (hold === null || hold.erasureRequestedAt !== null) return hold;
      const requestedAt = this.now();
      await tx.erasureRequest.create({ data: { id: uuidv7(), tenantId, projectId, externalUserId, requestedAt } });
      return { ...hold, erasureRequestedAt: requestedAt.toISOString() };
    });
  }

  /** The oldest remembered erasures after one of them, of people whom nothing holds any more. */
  async due(
    after = '',
  ): Promise<{ readonly people: (HeldPerson & { readonly tenantId: string })[]; readonly next: string | null }> {
    const rows = await this.database.read.erasureRequest.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: atOnce,
    });
    const held = await this.held.among(
      rows.map(({ projectId, externalUserId }) => ({ projectId, heldId: externalUserId })),
    );
    const people = rows.filter(({ projectId, externalUserId }) => !held.has(heldKey(projectId, externalUserId)));
    return { people, next: rows.length < atOnce ? null : (rows.at(-1)?.id ?? null) };
  }
}
