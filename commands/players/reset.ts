import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { textOf } from '../../src/contract/gameplay/localised-text.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';

export default class PlayersReset extends ProjectCommand {
  static override summary = playerRoutes.reset.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> u_42 CHALLENGE',
    '<%= config.bin %> <%= command.id %> u_42 CHALLENGE --yes',
  ];
  static override args = {
    user: nameArgument('player'),
    challenge: nameArgument('challenge'),
  };
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(PlayersReset);
    const params = { projectId: await this.projectId(), userId: args.user, id: args.challenge };
    const { name } = await this.client.call(challengeRoutes.get, { params });
    await confirm(args.user, `This resets the challenge ${textOf(name)} for ${args.user}.`, flags);
    this.show(await this.client.call(playerRoutes.reset, { params }));
  }
}
