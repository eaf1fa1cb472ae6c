import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';

export default class PlayersCancel extends ProjectCommand {
  static override summary = playerRoutes.cancel.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42 CHALLENGE'];
  static override args = {
    user: nameArgument('player'),
    challenge: nameArgument('challenge'),
  };

  async run(): Promise<void> {
    const { args } = await this.input(PlayersCancel);
    const params = { projectId: await this.projectId(), userId: args.user, id: args.challenge };
    this.show(await this.client.call(playerRoutes.cancel, { params }));
  }
}
