/** The actions of a moderator on somebody in a room, each with a sentence for the foot of the screen. */
import type { EarshotClient } from '../../../client/earshot-client.js';
import { banTypes, type Sanction, type SanctionType } from '../../../contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../../contract/moderation/sanctions.js';
import { participantRecordRoutes } from '../../../contract/people/participant-records.js';
import { personRoutes } from '../../../contract/people/person.js';
import { roomRoutes } from '../../../contract/rooms/rooms.js';
import { untilRevoked, untilWhen } from '../../moderation/sanction-end.js';
import { stated } from '../../typed/fields.js';
import { parseDuration, spanOf } from '../../typed/times.js';

export interface Somebody {
  readonly externalUserId: string;
  readonly name: string;
}
/** Asks at the foot of the screen; null: nothing is to be done. */
type Ask = (label: string) => Promise<string | null>;

const kinds = {
  mute: { lasting: 'mute', ending: 'mute', stacksWith: ['mute', 'shadow_mute'] },
  ban: { lasting: 'perm_ban', ending: 'temp_ban', stacksWith: banTypes },
} as const satisfies Record<
  string,
  { lasting: SanctionType; ending: SanctionType; stacksWith: readonly SanctionType[] }
>;

export class RoomActs {
  /** What `undo` takes back. */
  private last: Sanction | null = null;

  constructor(
    private readonly client: EarshotClient,
    private readonly place: { readonly projectId: string; readonly roomId: string },
    private readonly ask: Ask,
  ) {}

  /** Throws ApiError, NotUnderstood, as the others do. */
  async impose(what: keyof typeof kinds, { externalUserId, name }: Somebody): Promise<string> {
    const { projectId } = this.place;
    const { lasting, ending, stacksWith } = kinds[what];
    const active = await this.client.call(sanctionRoutes.activeOfUser, { params: { projectId, externalUserId } });
    const before = active.find(({ type }) => stacksWith.some((one) => one === type));
    const typed = await this.ask(
      `${before === undefined ? '' : `${inForce(before)} `}How long to ${what} ${name} (10m, 2h; empty: ${untilRevoked})?`,
    );
    if (typed === null) return 'Nothing was changed.';
    const duration = typed === '' ? undefined : parseDuration(typed);
    const reason = await this.ask(`Reason, shown to ${name} (may be empty):`);
    if (reason === null) return 'Nothing was changed.';
    const type = duration === undefined ? lasting : ending;
    const body = { type, externalUserId, ...stated({ duration, reason: reason === '' ? undefined : reason }) };
    this.last = await this.client.call(sanctionRoutes.create, { params: { projectId }, body });
    const length = duration === undefined ? untilRevoked : `for ${spanOf(duration)}`;
    return `${name}: ${type} ${length}. u takes it back.`;
  }

  async kick({ externalUserId, name }: Somebody): Promise<string> {
    const { roomId } = this.place;
    if ((await this.ask(`Throw ${name} out of ${roomId}? Return does it, escape leaves it.`)) === null)
      return 'Nothing was changed.';
    await this.client.call(roomRoutes.kick, { params: { ...this.place, externalUserId } });
    return `${name} is out of ${roomId}.`;
  }

  async note({ externalUserId, name }: Somebody): Promise<string> {
    const { projectId } = this.place;
    const text = await this.ask(`Note about ${name}, for moderators:`);
    if (text === null || text === '') return 'Nothing was written.';
    const { participant } = await this.client.call(personRoutes.get, { params: { projectId, user: externalUserId } });
    if (participant === null) return `${name} is no participant, so there is no place for a note.`;
    const params = { projectId, id: participant.id };
    await this.client.call(participantRecordRoutes.addNote, { params, body: { text } });
    return `The note about ${name} is kept.`;
  }

  async undo(): Promise<string> {
    const { last } = this;
    if (last === null) return 'Nothing was imposed from here.';
    const params = { projectId: this.place.projectId, id: last.id };
    await this.client.call(sanctionRoutes.revoke, { params, body: { reason: 'taken back at once' } });
    this.last = null;
    return `${last.type} taken back.`;
  }
}

const inForce = (sanction: Sanction): string => `${sanction.type} in force ${untilWhen(sanction, new Date())}.`;
