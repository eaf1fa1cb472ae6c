import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';

export default class PlayerTokensCreate extends ProjectCommand {
  static override summary = playerRoutes.createToken.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42'];
  static override args = { user: nameArgument('player') };

  async run(): Promise<void> {
    const { args } = await this.input(PlayerTokensCreate);
    this.show(
      await this.client.call(playerRoutes.createToken, {
        params: { projectId: await this.projectId(), userId: args.user },
      }),
    );
  }
}
