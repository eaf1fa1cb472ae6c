/**
 * Counts events that are about to be removed into a snapshot of each period that still runs, from which a rebuild
 * starts. A period that is over has no snapshot: once its events are removed, it cannot be counted again.
 */
import { addTo } from '../../platform/collections/add-to.js';
import type { Transaction } from '../../platform/database/database.js';
import type { Clock } from '../../platform/time/clock.js';
import type { RemovedEvent } from '../game-events/event-store.js';
import { type BoardDefinition, type BoardPeriod, eventsIn, rulesText } from './board.js';
import type { BoardStore } from './board-store.js';
import type { Recount } from './recount.js';
import { isCountedBy, type TallyStore } from './tally-store.js';

const nobody: ReadonlySet<string> = new Set();

export class Snapshots {
  constructor(
    private readonly boards: BoardStore,
    private readonly recount: Recount,
    private readonly tallies: TallyStore,
    private readonly now: Clock,
  ) {}

  /** In the transaction that removes the events, which come in the order of their ids. */
  async keep(tx: Transaction, events: readonly RemovedEvent[]): Promise<void> {
    const projects = new Map<string, RemovedEvent[]>();
    for (const event of events) addTo(projects, event.projectId, event);
    for (const [projectId, own] of projects) {
      const names = new Set(own.map(({ eventName }) => eventName));
      for (const definition of await this.boards.definitionsIn(tx, projectId)) {
        if (!names.has(definition.board.eventName)) continue;
        await this.ofBoard(
          tx,
          definition,
          own.filter(({ eventName }) => eventName === definition.board.eventName),
        );
      }
    }
  }

  private async ofBoard(tx: Transaction, definition: BoardDefinition, events: readonly RemovedEvent[]): Promise<void> {
    const [first] = events;
    if (first === undefined) return;
    const now = this.now();
    const earliest = events.reduce(
      (least, { occurredAt }) => Math.min(least, occurredAt?.getTime() ?? least),
      first.createdAt.getTime(),
    );
    const periods = await this.boards.periodsFrom(tx, definition.board.id, new Date(earliest));
    for (const [index, period] of periods.entries()) {
      const place = { period, next: periods[index + 1] ?? null };
      const own = eventsIn(definition, place, periods, events);
      if (own.length === 0) continue;
      const isOver = period.endsAt !== null && period.endsAt <= now;
      const tallyId = isOver ? null : await this.snapshotOf(tx, definition, period);
      if (tallyId === null) await this.tallies.giveUp(tx, period.id);
      else await this.recount.add(tx, { definition, period, tallyId, excluded: nobody }, own);
    }
  }

  /** null: it was made by other rules, and the two cannot be mixed. */
  private async snapshotOf(tx: Transaction, { board }: BoardDefinition, period: BoardPeriod): Promise<string | null> {
    if (!(await this.tallies.isComplete(tx, period.id))) return null;
    const known = await this.tallies.snapshot(tx, period.id);
    if (known !== null) {
      if (!isCountedBy(known, rulesText(board))) return null;
      await this.tallies.saveRules(tx, known.id, board);
      return known.id;
    }
    return this.tallies.open(tx, { board, periodId: period.id, role: 'snapshot', createdAt: this.now() });
  }
}
