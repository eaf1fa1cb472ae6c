/** How gatherings change their state: by call, and by themselves when their time has come (contract, section 5). */
import { DomainError } from '../../../src/contract/errors.js';
import type { Gathering } from '../../../src/contract/gatherings/gatherings.js';
import type { Transaction } from '../../platform/database/database.js';
import type { ProjectGrant } from '../../platform/http/caller.js';
import type { GatheringDesk } from './desk.js';
import type { HeldGathering } from './held.js';
import { markDelayedAnew, markInTime, presentUntil } from './ready-mark.js';
import { afterMove, dueMove, readyDelayMs } from './rules.js';
import { statusOf, timingOf, toGathering } from './store.js';

/** Where sessions begin. */
export interface SessionOpener {
  /** Address of the project's rooms; null while the project has no settings. */
  gateway(projectId: string): Promise<string | null>;
  /** The active session of the room, made when there is none, with a bot that listens. */
  openIn(
    tx: Transaction,
    project: Pick<ProjectGrant, 'projectId' | 'tenantId'>,
    wish: { title: string; externalRoomId: string; gateway: string; createdByUserId: string },
  ): Promise<{ id: string }>;
}

export class GatheringMoves {
  constructor(
    private readonly desk: GatheringDesk,
    private readonly sessions: SessionOpener,
  ) {}

  /** One that has started stays as it is. Throws gathering_not_found, gathering_closed, settings_not_configured. */
  async start(projectId: string, id: string, roomId?: string): Promise<Gathering> {
    const gateway = await this.sessions.gateway(projectId);
    return this.desk.holding(projectId, id, async (held) => {
      const isOpening = afterMove(statusOf(held.row), 'start') !== held.row.status;
      if (isOpening && held.row.autoStartSession && gateway === null) throw new DomainError('settings_not_configured');
      return this.started(held, gateway, roomId);
    });
  }

  /** One that has ended stays as it is. Throws gathering_not_found, gathering_closed. */
  end = (projectId: string, id: string): Promise<Gathering> => this.move(projectId, id, 'end');

  /** Throws gathering_not_found, gathering_closed. */
  cancel = (projectId: string, id: string): Promise<Gathering> => this.move(projectId, id, 'cancel');

  /** Starts, expires and ends gatherings whose time has come; up to `batchSize`, returns how many. */
  async moveDue(batchSize: number): Promise<number> {
    const due = await this.desk.stores.gatherings.due(this.desk.now(), batchSize);
    for (const { projectId, id } of due) {
      const gateway = await this.sessions.gateway(projectId);
      await this.desk.holding(projectId, id, async (held) => {
        const move = dueMove(timingOf(held.row), held.now);
        // Choice: an appointment in a project without settings starts on time, and without a session.
        if (move === 'start') await this.started(held, gateway);
        else if (move !== null) await held.move(move);
      });
    }
    return due.length;
  }

  /** Lets ready marks appear that a queue_delay has held back; up to `batchSize`, returns how many were looked at. */
  async readyDue(batchSize: number): Promise<number> {
    const { members } = this.desk.stores;
    const now = this.desk.now();
    const due = await members.dueReady(now, presentUntil(now), batchSize);
    for (const { projectId, gatheringId, participantId } of due)
      await this.desk.holding(projectId, gatheringId, async (held) => {
        const member = await members.of(gatheringId, participantId, held.tx);
        const mark = member === null ? null : markInTime(member, held.now);
        if (member === null || mark === null) return;
        await held.setReady(member, await this.desk.person(projectId, participantId, held.tx), mark);
      });
    return due.length;
  }

  /** What a queue_delay asks of this person has changed: marks that wait do so no longer than it says now. */
  async delayChanged(projectId: string, externalUserId: string): Promise<void> {
    const { members } = this.desk.stores;
    for (const { gatheringId, participantId } of await members.waiting(projectId, externalUserId)) {
      const { person, inForce } = await this.desk.guest(projectId, participantId);
      await this.desk.holding(projectId, gatheringId, async (held) => {
        const member = await members.of(gatheringId, participantId, held.tx);
        const mark = member === null ? null : markDelayedAnew(member, readyDelayMs(inForce), held.now);
        if (member !== null && mark !== null) await held.setReady(member, person, mark);
      });
    }
  }

  /** Declines invitations that have run out; up to `batchSize`, returns how many were due. */
  async runOutDue(batchSize: number): Promise<number> {
    const { invitations } = this.desk.stores;
    const due = await invitations.due(this.desk.now(), batchSize);
    for (const { id, projectId, gatheringId } of due)
      await this.desk.holding(projectId, gatheringId, async (held) => {
        const row = await invitations.find(projectId, id, held.tx);
        if (row?.status === 'pending' && row.expiresAt <= held.now) await held.withdraw([row], null);
      });
    return due.length;
  }

  private move(projectId: string, id: string, move: 'end' | 'cancel'): Promise<Gathering> {
    return this.desk.holding(projectId, id, async (held) => {
      await held.move(move);
      return toGathering(held.row);
    });
  }

  private async started(held: HeldGathering, gateway: string | null, roomId?: string): Promise<Gathering> {
    const { row, tx } = held;
    if (afterMove(statusOf(row), 'start') === row.status) return toGathering(row);
    const room = roomId ?? row.roomId;
    const wish = { title: row.name, externalRoomId: room, createdByUserId: row.createdByUserId };
    const session =
      row.autoStartSession && gateway !== null ? await this.sessions.openIn(tx, row, { ...wish, gateway }) : null;
    await held.move('start', { roomId: room, ...(session === null ? {} : { sessionId: session.id }) });
    return toGathering(held.row);
  }
}
