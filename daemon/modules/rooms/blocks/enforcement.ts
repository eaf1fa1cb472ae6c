/** Applies blocks in the rooms where people are, whichever daemon has them. */
import type { DomainEvent } from '../../../../src/contract/events.js';
import { textField } from '../../../platform/events/text-field.js';
import type { EventSubscription } from '../../../platform/module.js';
import type { RoomEnforcer } from '../../moderation/sanctions/room-enforcer.js';
import type { RoomsElsewhere } from '../elsewhere/rooms-elsewhere.js';
import type { RoomStreams } from '../media/room-streams.js';
import type { Seats } from '../media/seats.js';
import type { BlockStore } from './store.js';

export class BlockEnforcement {
  constructor(
    private readonly blocks: Pick<BlockStore, 'blockersAmong'>,
    private readonly seats: Pick<Seats, 'peopleOf'>,
    private readonly streams: Pick<RoomStreams, 'readersOf'>,
    private readonly elsewhere: Pick<RoomsElsewhere, 'areHere'>,
    private readonly enforcer: Pick<RoomEnforcer, 'enforce' | 'applied'>,
  ) {}

  /** Resolves once what the person blocks holds, whichever daemon has the rooms. */
  async enforce(projectId: string, externalUserId: string): Promise<void> {
    if (this.elsewhere.areHere) this.enforcer.enforce(projectId, [externalUserId]).catch(() => {}); // is tried again until it holds
    await this.enforcer.applied([{ projectId }]);
  }

  /** Applies what another daemon stored; a person who was moved is blocked under the new id. */
  async follow(events: readonly DomainEvent[]): Promise<void> {
    if (!this.elsewhere.areHere) return;
    await Promise.all(
      events.map(async ({ type, projectId, payload }) => {
        const externalUserId = textField(payload.data, 'externalUserId');
        if (projectId === undefined || externalUserId === null) return;
        const people =
          type === 'participant.moved' ? await this.blockersHere(projectId, externalUserId) : [externalUserId];
        await this.enforcer.enforce(projectId, people);
      }),
    );
  }

  private blockersHere(projectId: string, blockedUserId: string): Promise<string[]> {
    const readers = this.streams.readersOf(projectId).map(({ externalUserId }) => externalUserId);
    const here = new Set([...this.seats.peopleOf(projectId), ...readers]);
    return this.blocks.blockersAmong(projectId, blockedUserId, [...here]);
  }
}

export const followBlocks = (enforcement: BlockEnforcement): EventSubscription => ({
  name: 'room-blocks',
  role: 'voice',
  types: ['block.*', 'participant.moved'],
  early: true, // a block behind others is in force, too, when the daemon that stored it is told so
  on: (events) => enforcement.follow(events),
});
