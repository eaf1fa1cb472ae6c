/** Mutes and closes rooms to everybody but moderators, and ends that when it is lifted or its time is over. */

import { storableTime } from '../../../../src/contract/common.js';
import { DomainError } from '../../../../src/contract/errors.js';
import type { RoomRestrictions } from '../../../../src/contract/rooms/room-restrictions.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import type { NextDue } from '../../../platform/scheduler/due-work.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ProjectStore } from '../../projects/store.js';
import { requireOwnRooms, type TokenSettings } from '../own-rooms.js';
import type { RestrictionEnforcement } from './enforcement.js';
import { viewOf } from './restrictions.js';
import type { RestrictionKind, RestrictionStore } from './store.js';

/** Every change of a sanction reads them all. */
const restrictionsPerProject = 1_000;

interface RestrictionNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly store: RestrictionStore;
  readonly settings: TokenSettings;
  readonly projects: Pick<ProjectStore, 'tenantOf'>;
  readonly enforcement: Pick<RestrictionEnforcement, 'enforce'>;
  readonly now: Clock;
}

type RestrictedRoom = Pick<ProjectGrant, 'tenantId' | 'projectId'> & { readonly roomId: string };

export class RestrictionService {
  constructor(private readonly needs: RestrictionNeeds) {}

  /** One that there is already gets the new end. Throws settings_not_configured, provider_unsupported, room_limit_reached. */
  async impose(place: RestrictedRoom, kind: RestrictionKind, seconds: number | undefined): Promise<RoomRestrictions> {
    const { database, store, settings, enforcement, now } = this.needs;
    const { projectId, roomId } = place;
    await requireOwnRooms(settings, projectId, 'muted or closed');
    const since = now();
    const endAt = seconds === undefined ? null : storableTime(since.getTime() + seconds * 1000);
    const view = await database.transaction(async (tx) => {
      const before = (await store.inForce(projectId, roomId, since, tx)).find((row) => row.kind === kind);
      if (before === undefined && (await store.count(tx, projectId)) >= restrictionsPerProject)
        throw new DomainError('room_limit_reached', {
          message: `${restrictionsPerProject} rooms of the project are muted or closed. Lift some first.`,
        });
      await store.put(tx, { projectId, roomId, kind, since: before?.since ?? since, endAt });
      return this.announce(tx, place);
    });
    await enforcement.enforce(projectId, roomId);
    return view;
  }

  /** Does nothing where there is none. */
  async lift(place: RestrictedRoom, kind: RestrictionKind): Promise<RoomRestrictions> {
    const { database, store, enforcement, now } = this.needs;
    const { projectId, roomId } = place;
    const view = await database.transaction(async (tx) => {
      if (await store.remove(tx, { projectId, roomId, kind })) return this.announce(tx, place);
      return viewOf(roomId, await store.inForce(projectId, roomId, now(), tx));
    });
    await enforcement.enforce(projectId, roomId);
    return view;
  }

  readonly nextDue: NextDue = () => this.needs.store.nextDue();

  /** Ends up to `take` whose time is over; returns how many there were. */
  async expireDue(take: number): Promise<number> {
    const { database, store, projects, now } = this.needs;
    const due = await store.ended(now(), take);
    for (const row of due) {
      const tenantId = await projects.tenantOf(row.projectId);
      await database.transaction(async (tx) => {
        if ((await store.remove(tx, row)) && tenantId !== null) await this.announce(tx, { ...row, tenantId });
      });
    }
    return due.length;
  }

  private async announce(tx: Transaction, { tenantId, projectId, roomId }: RestrictedRoom): Promise<RoomRestrictions> {
    const { log, store, now } = this.needs;
    const data = viewOf(roomId, await store.inForce(projectId, roomId, now(), tx));
    await log.append(tx, {
      type: 'room.restricted',
      tenantId,
      projectId,
      resourceId: `room:${roomId}`,
      action: 'updated',
      data,
      subjectUserId: null,
    });
    return data;
  }
}
