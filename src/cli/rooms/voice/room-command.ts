/** Shared parts of the commands that enter a room: who enters, and cleaning up afterwards. */
import * as Flags from '@oclif/core/flags';
import { requestAccess, requestObservation } from '../../../client/room/request-access.js';
import type { RoomAccess } from '../../../client/room/room-access.js';
import { ProjectCommand } from '../../command/command.js';
import { nameArgument } from '../../names/kinds.js';
import { stated } from '../../typed/fields.js';
import { parseWait } from '../../typed/times.js';

export const roomArgument = nameArgument('joinedRoom');
export const personFlags = (user: string) => ({
  user: Flags.string({ description: 'External id of the person', default: user }),
  name: Flags.string({ description: 'Shown in the room; default: the external id' }),
});
/** Flags of commands that only listen. */
export const listenerFlags = {
  user: Flags.string({
    description: 'Join as this participant, by external id; default: as an observer of the team',
  }),
  name: Flags.string({ description: 'With --user: shown in the room; default: the external id', dependsOn: ['user'] }),
};
export const moderateFlag = {
  moderate: Flags.boolean({
    description: 'As a moderator, who also sees annotations of plugins and shadow-muted people',
  }),
};
export const forFlag = { for: Flags.string({ description: 'How long: 30s, 10m; default: until ctrl-c' }) };

export abstract class RoomCommand extends ProjectCommand {
  /** Throws ApiError, DaemonUnreachable, ForeignRooms. */
  protected async access(
    roomId: string,
    { user, name }: { readonly user: string; readonly name: string | undefined },
    may: { publish: boolean; subscribe: boolean; moderate?: boolean },
  ): Promise<RoomAccess> {
    const permissions = { moderate: false, ...may };
    const request = { roomId, userId: user, permissions, ...stated({ displayName: name }) };
    return requestAccess(this.client, await this.projectId(), request);
  }

  /** Gets access to listen only. Throws ApiError, DaemonUnreachable, ForeignRooms. */
  protected async listeningAccess(
    roomId: string,
    { user, name, moderate }: { user: string | undefined; name: string | undefined; moderate: boolean },
  ): Promise<RoomAccess> {
    if (user === undefined) return this.observing(roomId);
    return this.access(roomId, { user, name }, { publish: false, subscribe: true, moderate });
  }

  /** Gets access as an observer of the team. Throws ApiError, DaemonUnreachable, ForeignRooms. */
  protected async observing(roomId: string): Promise<RoomAccess> {
    return requestObservation(this.client, await this.projectId(), roomId);
  }

  /** Throws UsageError. */
  protected secondsOf(duration: string | undefined): number | null {
    return duration === undefined ? null : parseWait(duration);
  }
}
