/**
 * Counts events that are about to be removed into a snapshot of each period that still runs, from which a rebuild
 * starts. A period that is over has no snapshot: once its events are removed, it cannot be counted again.
 */
import { uuidv7 } from 'uuidv7';
import { addTo } from '../../../platform/add-to.js';
import type { Clock } from '../../../platform/clock.js';
import type { Transaction } from '../../../platform/database/database.js';
import { type BoardDefinition, type BoardPeriod, rulesText } from './board.js';
import type { BoardStore } from './board-store.js';
import type { Recount, StoredGameEvent } from './recount-store.js';

const nobody: ReadonlySet<string> = new Set();

export class Snapshots {
  constructor(
    private readonly boards: BoardStore,
    private readonly recount: Recount,
    private readonly now: Clock,
  ) {}

  /** In the transaction that removes the events, which come in the order of their ids. */
  async take(tx: Transaction, events: readonly StoredGameEvent[]): Promise<void> {
    const projects = new Map<string, StoredGameEvent[]>();
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

  private async ofBoard(
    tx: Transaction,
    definition: BoardDefinition,
    events: readonly StoredGameEvent[],
  ): Promise<void> {
    const [first] = events;
    if (first === undefined) return;
    const now = this.now();
    for (const period of await this.boards.periodsFrom(tx, definition.board.id, first.createdAt)) {
      const own = events.filter(({ createdAt }) => within(period, createdAt));
      if (own.length === 0) continue;
      const isOver = period.endsAt !== null && period.endsAt <= now;
      const tallyId = isOver ? null : await this.snapshotOf(tx, definition, period);
      if (tallyId === null) await this.giveUp(tx, period);
      else await this.recount.add(tx, { definition, period, tallyId, excluded: nobody }, own);
    }
  }

  /** null: it was made by other rules, and the two cannot be mixed. */
  private async snapshotOf(tx: Transaction, { board }: BoardDefinition, period: BoardPeriod): Promise<string | null> {
    const { complete } = await tx.leaderboardPeriod.findUniqueOrThrow({ where: { id: period.id } });
    if (!complete) return null;
    const rules = rulesText(board);
    const known = await tx.leaderboardTally.findFirst({ where: { periodId: period.id, role: 'snapshot' } });
    if (known !== null) return known.rules === rules ? known.id : null;
    const id = uuidv7();
    await tx.leaderboardTally.create({
      data: {
        ...{ id, projectId: board.projectId, leaderboardId: board.id, periodId: period.id, role: 'snapshot', rules },
        ...{ countedTo: '', version: 0, epoch: 0, createdAt: this.now() },
      },
    });
    return id;
  }

  private async giveUp(tx: Transaction, { id: periodId }: BoardPeriod): Promise<void> {
    await tx.leaderboardPeriod.update({ where: { id: periodId }, data: { complete: false } });
    await tx.leaderboardTally.updateMany({ where: { periodId, role: 'snapshot' }, data: { role: 'discarded' } });
  }
}

const within = ({ startsAt, endsAt }: BoardPeriod, at: Date): boolean =>
  startsAt <= at && (endsAt === null || at < endsAt);
