import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { participantRoutes } from '../../src/contract/people/participants.js';

export default class ParticipantsDelete extends ProjectCommand {
  static override summary = participantRoutes.remove.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> Bob',
    '<%= config.bin %> <%= command.id %> u_42 --yes',
  ];
  static override args = { user: nameArgument('participant') };
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(ParticipantsDelete);
    const params = { projectId: await this.projectId(), id: args.user };
    const { externalUserId, displayName } = await this.client.call(participantRoutes.get, { params });
    const gone = `This erases ${displayName} (${externalUserId}): what they said, their sanctions, notes, places in gatherings and progress.`;
    await confirm(displayName, gone, flags);
    await this.client.call(participantRoutes.remove, { params });
    this.logToStderr('The participant is erased.');
  }
}
