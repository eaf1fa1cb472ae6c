/**
 * Stores new sanctions. Everything is prepared before the transaction, because all other writers wait for it: inside it
 * there are only statements, with pauses for the event loop between them.
 */
import type { Sanction } from '../../../../src/contract/moderation/sanction-record.js';
import type { PreparedRows } from '../../../platform/database/bulk-rows.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { KeptIds } from '../../../platform/database/kept-ids.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { NewEvent, PreparedEvents } from '../../../platform/events/logged.js';
import type { SanctionJournal } from './journal.js';
import { keptBy } from './kept-evidence.js';
import type { SanctionRow } from './sanction-rows.js';
import { RowsChanged, type SanctionStore } from './store.js';

/** Rows that new sanctions create besides their own: a human_review opens its review. Stored in their transaction. */
interface Consequences {
  ofSanctions(
    sanctions: readonly Sanction[],
    createdByUserId: string | null,
  ): Promise<{ readonly events: readonly NewEvent[]; store(tx: Transaction): Promise<void> }>;
}

interface PreparedIssue {
  readonly rows: readonly SanctionRow[];
  readonly sanctions: readonly Sanction[];
  readonly prepared: readonly PreparedRows[];
  readonly events: PreparedEvents;
  storeConsequences(tx: Transaction): Promise<void>;
}

export class SanctionIssuing {
  constructor(
    private readonly log: EventLog,
    private readonly sanctions: SanctionStore,
    private readonly journal: SanctionJournal,
    private readonly consequences: Consequences,
    private readonly kept: Pick<KeptIds, 'keep'>,
  ) {}

  async prepare(rows: readonly SanctionRow[], createdByUserId: string | null): Promise<PreparedIssue> {
    const { sanctions, events } = await this.journal.created(rows);
    const consequences = await this.consequences.ofSanctions(sanctions, createdByUserId);
    return {
      rows,
      sanctions,
      prepared: await this.sanctions.prepare(rows),
      events: await this.log.prepare([...events, ...consequences.events]),
      storeConsequences: (tx) => consequences.store(tx),
    };
  }

  /**
   * The events come last: from then on until the commit every other writer of events waits. Throws RowsChanged where one
   * of the people was erased or moved since the preparation.
   */
  async store(tx: Transaction, issue: PreparedIssue): Promise<void> {
    await this.storeRows(tx, issue);
    await this.announce(tx, issue);
  }

  /**
   * Stores the rows without their events, for a transaction that stores more rows before the events. Throws
   * RowsChanged.
   */
  async storeRows(tx: Transaction, { rows, prepared, storeConsequences }: PreparedIssue): Promise<void> {
    if (!(await this.journal.isUpToDate(tx, rows)))
      throw new RowsChanged('people of these sanctions are gone or moved');
    await this.sanctions.insert(tx, prepared);
    await this.kept.keep(tx, rows.flatMap(keptBy));
    await storeConsequences(tx);
  }

  /** The second half: nothing but further events may follow. */
  async announce(tx: Transaction, { events }: PreparedIssue): Promise<void> {
    await this.log.appendPrepared(tx, events);
  }
}

const attemptsMax = 5;

/** Does the work again, from its preparation on, where people were erased or moved in the meantime. */
export async function preparedAnew<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RowsChanged) || attempt >= attemptsMax) throw error;
    }
  }
}
