import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { ifThere } from '../../src/cli/names/candidates.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { personWords } from '../../src/cli/people/person-words.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { type Person, personRoutes } from '../../src/contract/people/person.js';
import { StateError } from '../../src/terminal/state-error.js';
import { harmless } from '../../src/text/printable.js';
import { shellWord } from '../../src/text/shell-word.js';

export default class ParticipantsDelete extends ProjectCommand {
  static override summary = personRoutes.erase.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> Bob',
    '<%= config.bin %> <%= command.id %> u_42 --yes',
  ];
  static override args = { user: nameArgument('person') };
  static override flags = {
    ...yesFlag,
    new: Flags.boolean({
      description: 'USER is an external id that is no participant: erase it from events and the audit log',
    }),
  };

  async run(): Promise<void> {
    const { args, flags, argv } = await this.input(ParticipantsDelete);
    const [typed = args.user] = argv;
    const byId = await this.personOf(typed);
    if (byId !== null) refuseFormer(byId, typed);
    const person = byId ?? (await this.personOf(args.user));
    const { externalUserId = args.user, participant = null } = person ?? {};
    const name = participant?.displayName ?? externalUserId;
    const who = personWords(name, externalUserId);
    const gone = `This erases ${who}: messages, sanctions, notes, seats in gatherings and progress.`;
    await confirm(name, gone, flags);
    const params = { projectId: await this.projectId(), user: args.user };
    if (participant === null) await this.client.call(personRoutes.erase, { params });
    else await this.client.call(participantRoutes.remove, { params: { ...params, id: participant.id } });
    this.logToStderr(`${who} is erased.`);
  }

  /** Returns the person by external id or participant id, current or from before a move. */
  private async personOf(user: string): Promise<Person | null> {
    const params = { projectId: await this.projectId(), user };
    return ifThere(this.client.call(personRoutes.get, { params }));
  }
}

/** Other commands follow a move. There is no way back from this one, so it takes ids of today alone, as the API does. */
function refuseFormer({ externalUserId, participant }: Person, typed: string): void {
  if (typed === externalUserId || typed === participant?.id) return;
  const who = personWords(participant?.displayName ?? externalUserId, externalUserId);
  throw new StateError(
    'person_moved',
    harmless(`${typed} was moved to ${who}. To erase them: earshot participants delete ${shellWord(externalUserId)}`),
    { externalUserId },
  );
}
