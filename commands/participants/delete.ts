import { Flags } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { ifThere } from '../../src/cli/names/candidates.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { personWords } from '../../src/cli/people/person-words.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personRoutes } from '../../src/contract/people/person.js';

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
      description: 'USER is an external id on no list: erase what events and the audit log hold of it',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ParticipantsDelete);
    const params = { projectId: await this.projectId(), user: args.user };
    // A look-up would find whoever had the id before a move.
    const person = flags.new ? null : await ifThere(this.client.call(personRoutes.get, { params }));
    const { externalUserId = args.user, participant = null } = person ?? {};
    const name = participant?.displayName ?? externalUserId;
    const who = personWords(name, externalUserId);
    const gone = `This erases ${who}: what they said, their sanctions, notes, places in gatherings and progress.`;
    await confirm(name, gone, flags);
    if (participant === null) await this.client.call(personRoutes.erase, { params });
    else await this.client.call(participantRoutes.remove, { params: { ...params, id: participant.id } });
    this.logToStderr(`${who} is erased.`);
  }
}
