import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { participantRoutes } from '../../src/contract/people/participants.js';

export default class ParticipantsGet extends ProjectCommand {
  static override summary = participantRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> PARTICIPANT'];
  static override args = { user: nameArgument('participant') };

  async run(): Promise<void> {
    const { args } = await this.input(ParticipantsGet);
    this.show(
      await this.client.call(participantRoutes.get, {
        params: { projectId: await this.projectId(), id: args.user },
      }),
    );
  }
}
