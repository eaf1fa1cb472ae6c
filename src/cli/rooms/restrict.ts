/** `rooms mute`, `rooms close`: for everybody in a room but moderators, for a time or until it is lifted. */
import * as Args from '@oclif/core/args';
import {
  type RoomRestriction,
  type RoomRestrictions,
  roomRestrictionRoutes,
} from '../../contract/rooms/room-restrictions.js';
import { roomRoutes } from '../../contract/rooms/rooms.js';
import { StateError } from '../../terminal/state-error.js';
import { harmless } from '../../text/printable.js';
import { ProjectCommand } from '../command/command.js';
import { isOutOfSight, noneWhere } from '../command/refusals.js';
import { parseTerm, type Term, termEnd } from '../moderation/term.js';
import { nameArgument } from '../names/kinds.js';
import { daemonNow } from '../typed/daemon-clock.js';
import { newRoomFlag } from '../typed/new-name.js';

const says = {
  mute: { read: ({ muted }: RoomRestrictions) => muted, is: 'muted', undo: 'unmute' },
  close: { read: ({ closed }: RoomRestrictions) => closed, is: 'closed', undo: 'reopen' },
} as const;
type RestrictionName = keyof typeof says;

/** Explains the restrictions of a muted or closed room, each with the command that ends it. */
export const restrictionFindings = (
  restrictions: RoomRestrictions,
  name = 'room',
): { kind: RestrictionName; says: string; remedy: string }[] =>
  (['mute', 'close'] as const).flatMap((kind) => {
    const { read, is, undo } = says[kind];
    const found = read(restrictions);
    if (found === null) return [];
    return [
      {
        kind,
        says: `The ${name} is ${is} to everybody but moderators ${lasting(found)}.`,
        remedy: `earshot rooms ${undo} ${restrictions.roomId}`,
      },
    ];
  });

const lasting = ({ until }: RoomRestriction): string => (until === null ? 'until it is lifted' : `until ${until}`);

export const restrictionTerm = Args.string({
  description: '10m, 2 hours, "until mon 18:00" or forever; default: until the room is opened again',
});

export abstract class RestrictCommand extends ProjectCommand {
  protected abstract readonly kind: RestrictionName;

  protected async restrict(roomId: string, duration: string | undefined): Promise<void> {
    const params = { projectId: await this.projectId(), roomId };
    const term = duration === undefined ? {} : parseTerm(duration);
    const body = { duration: secondsOf(term) };
    if (this.common.json !== true && duration !== undefined)
      this.logToStderr(harmless(`${this.kind} ${roomId} ${termEnd(term, daemonNow())}.`));
    const made = await this.client.call(roomRestrictionRoutes[this.kind], { params, body });
    if (this.common.json === true) return this.printJson(made);
    for (const finding of restrictionFindings(made))
      this.logToStderr(harmless(`${finding.says} To end it: ${finding.remedy}`));
  }
}

export abstract class Restrict extends RestrictCommand {
  static override args = { room: nameArgument('room'), duration: restrictionTerm };
  static override flags = { new: newRoomFlag };

  async run(): Promise<void> {
    const { args } = await this.input(Restrict);
    await this.restrict(args.room, args.duration);
  }
}

function secondsOf({ duration, endAt }: Term): number | undefined {
  return endAt === undefined ? duration : Math.max(1, Math.ceil((Date.parse(endAt) - daemonNow().getTime()) / 1_000));
}

export abstract class LiftCommand extends ProjectCommand {
  protected abstract readonly kind: 'unmute' | 'reopen';

  protected async lift(roomId: string): Promise<void> {
    const params = { projectId: await this.projectId(), roomId };
    await this.requireInForce(params);
    const left = await this.client.call(roomRestrictionRoutes[this.kind], { params });
    if (this.common.json === true) return this.printJson(left);
    const lifted = this.kind === 'unmute' ? 'is no longer muted' : 'is open again';
    this.logToStderr(harmless(`The room ${roomId} ${lifted}.`));
    for (const finding of restrictionFindings(left))
      this.logToStderr(harmless(`${finding.says} To end it: ${finding.remedy}`));
  }

  /** Throws StateError where there is nothing to lift. Who may not see the room lifts what there is. */
  private async requireInForce(params: { readonly projectId: string; readonly roomId: string }): Promise<void> {
    const [room] = await this.client.call(roomRoutes.get, { params }).then((one) => [one], noneWhere(isOutOfSight));
    if (room === undefined) return;
    const { roomId, muted, closed } = room;
    if (this.kind === 'unmute' && muted === null)
      throw new StateError('room_not_muted', `The room ${harmless(roomId)} is not muted.`, { roomId });
    if (this.kind === 'reopen' && closed === null)
      throw new StateError('room_not_closed', `The room ${harmless(roomId)} is not closed.`, { roomId });
  }
}

export abstract class Lift extends LiftCommand {
  static override args = { room: nameArgument('room') };

  async run(): Promise<void> {
    const { args } = await this.input(Lift);
    await this.lift(args.room);
  }
}
