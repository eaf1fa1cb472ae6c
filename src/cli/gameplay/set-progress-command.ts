/** Shared part of the commands that set or add to a player's progress in a challenge. */
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { playerRoutes } from '../../contract/gameplay/players.js';
import { ProjectCommand } from '../command/command.js';
import { nameArgument } from '../names/kinds.js';
import { newPersonFlag } from '../typed/new-name.js';

export abstract class SetProgressCommand extends ProjectCommand {
  static override description =
    'For progress that was lost. A challenge that has not begun is unlocked and activated first; one that reaches its goal waits for its reward to be claimed. The change is announced with the reason. No event is counted, so leaderboards stay as they are.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> u_42 CHALLENGE 40 --reason "lost in the outage of Friday"',
  ];
  static override args = {
    user: nameArgument('person'),
    challenge: nameArgument('challenge'),
    count: Args.integer({ required: true, min: 0, description: 'The new count, or what is added to it' }),
  };
  static override flags = {
    reason: Flags.string({ required: true, description: 'Reason, announced with the change' }),
    new: newPersonFlag,
  };

  protected abstract readonly field: 'counter' | 'add';

  async run(): Promise<void> {
    const { args, flags } = await this.input(SetProgressCommand);
    const params = { projectId: await this.projectId(), userId: args.user, id: args.challenge };
    const body = { [this.field]: args.count, reason: flags.reason };
    this.show(await this.client.call(playerRoutes.setProgress, { params, body }));
  }
}
