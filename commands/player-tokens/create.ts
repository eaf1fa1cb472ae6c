import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';

export default class PlayerTokensCreate extends ProjectCommand {
  static override summary = playerRoutes.createToken.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42'];
  // Tokens are made for accounts that nobody has seen yet: a display name of somebody else must not stand in for one.
  static override args = {
    user: Args.string({ required: true, description: 'External id of the player' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(PlayerTokensCreate);
    this.show(
      await this.client.call(playerRoutes.createToken, {
        params: { projectId: await this.projectId(), userId: args.user },
      }),
    );
  }
}
