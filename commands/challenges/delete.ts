import { ProjectCommand } from '../../src/cli/command/command.js';
import { deletedForADay, progressIn, undoableForADay } from '../../src/cli/gameplay/undoable.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { textOf } from '../../src/contract/gameplay/localised-text.js';

export default class ChallengesDelete extends ProjectCommand {
  static override summary = challengeRoutes.delete.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> CHALLENGE',
    '<%= config.bin %> <%= command.id %> CHALLENGE --yes',
  ];
  static override args = { challenge: nameArgument('challenge') };
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(ChallengesDelete);
    const params = { projectId: await this.projectId(), id: args.challenge };
    const name = textOf((await this.client.call(challengeRoutes.get, { params })).name);
    await confirm(
      name,
      `This deletes the challenge ${name} with ${await progressIn(this.client, params)}.`,
      flags,
      undoableForADay,
    );
    await this.client.call(challengeRoutes.delete, { params });
    this.logToStderr(deletedForADay('The challenge is', params.id));
  }
}
