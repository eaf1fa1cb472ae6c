/** Shared parts of the commands that act in a level of a battle pass for a player. */
import type { PlayerBattlePassLevel } from '../../contract/gameplay/battle-pass-progress.js';
import { ProjectCommand } from '../command/command.js';
import { nameArgument } from '../names/kinds.js';
import { levelArgument } from './level-argument.js';

export interface PlayerLevelParams {
  readonly projectId: string;
  readonly userId: string;
  readonly id: string;
}

export abstract class PlayerLevelCommand extends ProjectCommand {
  static override examples = ['<%= config.bin %> <%= command.id %> u_42 LEVEL'];
  static override args = {
    user: nameArgument('player'),
    level: levelArgument,
  };

  protected abstract call(params: PlayerLevelParams): Promise<PlayerBattlePassLevel>;

  async run(): Promise<void> {
    const { args } = await this.input(PlayerLevelCommand);
    const level = await this.call({ projectId: await this.projectId(), userId: args.user, id: args.level });
    this.show(level, ['levelId', 'position', 'activatedAt', 'completedAt', 'claimedAt', 'premiumClaimedAt']);
  }
}
