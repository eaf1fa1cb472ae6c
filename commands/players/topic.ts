import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument, nameFlag } from '../../src/cli/names/kinds.js';
import { stated } from '../../src/cli/typed/fields.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';

export default class PlayersTopic extends ProjectCommand {
  static override summary = playerRoutes.topic.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42'];
  static override args = { user: nameArgument('player') };
  static override flags = {
    challenge: nameFlag('challenge', 'Challenge, by name or id; default: every challenge'),
    'battle-pass': nameFlag('battlePass'),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(PlayersTopic);
    const params = { projectId: await this.projectId(), userId: args.user };
    const body = stated({ challengeId: flags.challenge, battlePassId: flags['battle-pass'] });
    this.show(await this.client.call(playerRoutes.topic, { params, body }));
  }
}
