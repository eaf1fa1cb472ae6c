/** How gatherings change their state: by a call, or when their time has come. */

import { DomainError } from '../../../src/contract/errors.js';
import type { Gathering } from '../../../src/contract/gatherings/gatherings.js';
import type { Transaction } from '../../platform/database/database.js';
import type { ProjectGrant } from '../../platform/http/caller.js';
import { earliest, type NextDue } from '../../platform/scheduler/due-work.js';
import type { Clock } from '../../platform/time/clock.js';
import type { GatheringStores, LockedGathering } from './locked-gathering.js';
import { markDelayedAnew, markInTime, presentUntil } from './ready-mark.js';
import { afterMove, dueMove, readyDelayMs } from './rules.js';
import { type DuePage, statusOf, timingOf, toGathering } from './store.js';
import type { GatheringTransactions } from './transactions.js';

/** Starts sessions. */
export interface SessionOpener {
  /** Address of the project's rooms; null while the project has no settings. */
  gateway(projectId: string): Promise<string | null>;
  /** The active session of the room, created when there is none, with a listening bot. */
  openIn(
    tx: Transaction,
    project: Pick<ProjectGrant, 'projectId' | 'tenantId'>,
    request: { title: string; externalRoomId: string; gateway: string; createdByUserId: string },
  ): Promise<{ id: string }>;
}

/** How a job handled a batch of due rows. */
export interface HandledBatch {
  readonly size: number;
  /** Errors of rows that are still due; none of them stopped the others. */
  readonly failures: readonly unknown[];
}

async function handleEach<Row>(due: readonly Row[], handle: (row: Row) => Promise<void>): Promise<HandledBatch> {
  const failures: unknown[] = [];
  for (const row of due) await handle(row).catch((error: unknown) => failures.push(error));
  return { size: due.length, failures };
}

export class GatheringMoves {
  constructor(
    private readonly transactions: GatheringTransactions,
    private readonly stores: GatheringStores,
    private readonly sessions: SessionOpener,
    private readonly now: Clock,
  ) {}

  /** One that has started stays as it is. Throws gathering_not_found, gathering_closed, settings_not_configured. */
  async start(projectId: string, id: string, roomId?: string): Promise<Gathering> {
    const gateway = await this.sessions.gateway(projectId);
    return this.transactions.withLocked(projectId, id, async (locked) => {
      const isOpening = afterMove(statusOf(locked.row), 'start') !== locked.row.status;
      if (isOpening && locked.row.autoStartSession && gateway === null)
        throw new DomainError('settings_not_configured');
      return this.started(locked, gateway, roomId);
    });
  }

  /** One that has ended stays as it is. Throws gathering_not_found, gathering_closed. */
  end = (projectId: string, id: string): Promise<Gathering> => this.transition(projectId, id, 'end');

  /** Throws gathering_not_found, gathering_closed. */
  cancel = (projectId: string, id: string): Promise<Gathering> => this.transition(projectId, id, 'cancel');

  /** Starts, expires and ends gatherings whose time has come. */
  async moveDue(page: DuePage): Promise<HandledBatch> {
    const due = await this.stores.gatherings.due(this.now(), page);
    return handleEach(due, async ({ projectId, id }) => {
      const gateway = await this.sessions.gateway(projectId);
      await this.transactions.withLocked(projectId, id, async (locked) => {
        const transition = dueMove(timingOf(locked.row), locked.now);
        // Choice: an appointment in a project without settings starts on time, without a session.
        if (transition === 'start') await this.started(locked, gateway);
        else if (transition !== null) await locked.transition(transition);
      });
    });
  }

  /** Lets ready marks take effect that a queue_delay has postponed. */
  async readyDue(page: DuePage): Promise<HandledBatch> {
    const { members } = this.stores;
    const now = this.now();
    const due = await members.dueReady(now, presentUntil(now), page);
    return handleEach(due, ({ projectId, gatheringId, participantId }) =>
      this.transactions.withGuest(projectId, gatheringId, participantId, async (locked, guest) => {
        const member = await members.findParticipant(gatheringId, participantId, locked.tx);
        const mark = member === null ? null : markInTime(member, locked.now);
        if (member !== null && mark !== null) await locked.setReady(member, guest, mark);
      }),
    );
  }

  readonly nextDue: NextDue = () => {
    const { gatherings, members, invitations } = this.stores;
    return earliest(gatherings.nextDue, members.nextDue, invitations.nextDue)();
  };

  /** A person's queue_delay has changed: waiting marks wait no longer than it requires now. */
  async delayChanged(projectId: string, externalUserId: string): Promise<void> {
    const { members } = this.stores;
    for (const { gatheringId, participantId } of await members.waiting(projectId, externalUserId)) {
      await this.transactions.withGuest(projectId, gatheringId, participantId, async (locked, guest) => {
        const member = await members.findParticipant(gatheringId, participantId, locked.tx);
        const mark = member === null ? null : markDelayedAnew(member, readyDelayMs(guest.inForce), locked.now);
        if (member !== null && mark !== null) await locked.setReady(member, guest, mark);
      });
    }
  }

  /** Declines expired invitations. */
  async runOutDue(page: DuePage): Promise<HandledBatch> {
    const { invitations } = this.stores;
    const due = await invitations.due(this.now(), page);
    return handleEach(due, ({ id, projectId, gatheringId }) =>
      this.transactions.withLocked(projectId, gatheringId, async (locked) => {
        const row = await invitations.find(projectId, id, locked.tx);
        if (row?.status === 'pending' && row.expiresAt <= locked.now) await locked.withdraw([row], null);
      }),
    );
  }

  private transition(projectId: string, id: string, move: 'end' | 'cancel'): Promise<Gathering> {
    return this.transactions.withLocked(projectId, id, async (locked) => {
      await locked.transition(move);
      return toGathering(locked.row);
    });
  }

  private async started(locked: LockedGathering, gateway: string | null, roomId?: string): Promise<Gathering> {
    const { row, tx } = locked;
    if (afterMove(statusOf(row), 'start') === row.status) return toGathering(row);
    const room = roomId ?? row.roomId;
    const request = { title: row.name, externalRoomId: room, createdByUserId: row.createdByUserId };
    const session =
      row.autoStartSession && gateway !== null ? await this.sessions.openIn(tx, row, { ...request, gateway }) : null;
    await locked.transition('start', { roomId: room, ...(session === null ? {} : { sessionId: session.id }) });
    return toGathering(locked.row);
  }
}
