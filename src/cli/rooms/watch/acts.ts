/** The actions of a moderator on somebody in a room, each with a sentence for the foot of the screen. */
import type { EarshotClient } from '../../../client/earshot-client.js';
import { banTypes } from '../../../contract/moderation/sanction-kinds.js';
import type { Sanction, SanctionType } from '../../../contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../../contract/moderation/sanctions.js';
import { participantRecordRoutes } from '../../../contract/people/participant-records.js';
import { personRoutes } from '../../../contract/people/person.js';
import { roomRoutes } from '../../../contract/rooms/rooms.js';
import { foreverWord } from '../../../text/forever.js';
import { spanOf } from '../../../text/span.js';
import { untilWhen } from '../../moderation/sanction-end.js';
import { parseTerm, typedEnd } from '../../moderation/term.js';
import { confirmation, type Prompt } from '../../terminal/live/prompt.js';
import { daemonNow } from '../../typed/daemon-clock.js';
import { stated } from '../../typed/fields.js';

export interface Somebody {
  readonly externalUserId: string;
  readonly name: string;
}
const kinds = {
  mute: { lasting: 'mute', ending: 'mute', stacksWith: ['mute', 'shadow_mute'] },
  ban: { lasting: 'perm_ban', ending: 'temp_ban', stacksWith: banTypes },
} as const satisfies Record<
  string,
  { lasting: SanctionType; ending: SanctionType; stacksWith: readonly SanctionType[] }
>;

/** The longest that the contract takes. */
const maxNoteLength = 4_000;
const unchanged = 'Nothing was changed.';

export class RoomActs {
  /** Sanctions imposed here, the last of which `undo` takes back. */
  private readonly imposed: { readonly sanction: Sanction; readonly name: string }[] = [];

  constructor(
    private readonly client: EarshotClient,
    private readonly place: { readonly projectId: string; readonly roomId: string },
    private readonly prompt: Prompt,
    private readonly changed: () => void,
  ) {}

  /** Asks for how long and why. Throws ApiError, as the others do. */
  async impose(what: keyof typeof kinds, { externalUserId, name }: Somebody): Promise<string> {
    const { projectId } = this.place;
    const { lasting, ending } = kinds[what];
    // The question opens at once, so that no key is lost; what is in force is shown under it when it is known.
    let active: string | null = null;
    void this.inForce(what, externalUserId).then((words) => {
      active = words;
      this.changed();
    });
    const endAndActive = (typed: string) =>
      [typedEnd(typed, daemonNow()), active].filter((words) => words !== null).join('. ') || null;
    const answers = await this.prompt.ask(
      { label: `How long to ${what} ${name} (10m, 2h, ${foreverWord})?`, help: endAndActive, read: parseTerm },
      { label: `Reason, shown to ${name} (may be empty):`, read: (text) => text || undefined },
    );
    if (answers === null) return unchanged;
    const [term, reason] = answers;
    const type = Object.keys(term).length === 0 ? lasting : ending;
    const body = { type, externalUserId, ...term, ...stated({ reason }) };
    const sanction = await this.client.call(sanctionRoutes.create, { params: { projectId }, body });
    this.imposed.push({ sanction, name });
    const length = term.duration === undefined ? untilWhen(sanction, daemonNow()) : `for ${spanOf(term.duration)}`;
    return `${name}: ${type} ${length}. u undoes it.`;
  }

  async kick({ externalUserId, name }: Somebody): Promise<string> {
    const { roomId } = this.place;
    const answers = await this.prompt.ask(confirmation(`Remove ${name} from ${roomId}?`));
    if (answers?.[0] !== true) return unchanged;
    await this.client.call(roomRoutes.kick, { params: { ...this.place, externalUserId } });
    return `${name} was removed from ${roomId}.`;
  }

  async note({ externalUserId, name }: Somebody): Promise<string> {
    const { projectId } = this.place;
    const answers = await this.prompt.ask({
      label: `Note about ${name}, for moderators:`,
      maxLength: maxNoteLength,
      read: (text) => text,
    });
    const text = answers?.[0] ?? '';
    if (text === '') return 'No note was stored.';
    const { participant } = await this.client.call(personRoutes.get, { params: { projectId, user: externalUserId } });
    if (participant === null) return `${name} is no participant, so no note can be stored.`;
    const params = { projectId, id: participant.id };
    await this.client.call(participantRecordRoutes.addNote, { params, body: { text } });
    return `The note about ${name} is stored.`;
  }

  async undo(): Promise<string> {
    const last = this.imposed.at(-1);
    if (last === undefined) return 'There is nothing to undo.';
    const { sanction, name } = last;
    const params = { projectId: this.place.projectId, id: sanction.id };
    await this.client.call(sanctionRoutes.undo, { params, body: { reason: 'undone at once' } });
    this.imposed.pop();
    return `${name}: ${sanction.type} revoked.`;
  }

  /** Returns the sanction of the kind in force against a person; null: none, or it cannot be read. */
  private async inForce(what: keyof typeof kinds, externalUserId: string): Promise<string | null> {
    const params = { projectId: this.place.projectId, externalUserId };
    const active = await this.client.call(sanctionRoutes.activeOfUser, { params }).catch(() => []);
    const same = active.find(({ type }) => kinds[what].stacksWith.some((one) => one === type));
    return same === undefined ? null : `In force already: ${same.type} ${untilWhen(same, daemonNow())}.`;
  }
}
