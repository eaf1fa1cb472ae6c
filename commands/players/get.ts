import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import type { PlayerBattlePassLevel } from '../../src/contract/gameplay/battle-pass-progress.js';
import { textOf } from '../../src/contract/gameplay/localised-text.js';
import { type PlayerChallenge, type PlayerRank, playerRoutes } from '../../src/contract/gameplay/players.js';
import { table } from '../../src/terminal/output.js';

const levelState = ({ activatedAt, completedAt, claimedAt, premiumClaimedAt }: PlayerBattlePassLevel): string => {
  if (claimedAt) return premiumClaimedAt ? 'claimed with premium' : 'claimed';
  return completedAt ? 'completed' : activatedAt ? 'activated' : 'locked';
};

const levelLine = (level: PlayerBattlePassLevel) => ({
  position: level.position,
  state: levelState(level),
  challenges: level.challenges.map(({ name, counter, goal }) => `${textOf(name)}: ${counter} of ${goal}`).join(', '),
});

const challengeLine = ({ name, ...challenge }: PlayerChallenge) => ({ challenge: textOf(name), ...challenge });

const challengeColumns = ['challenge', 'state', 'counter', 'goal', 'endsAt', 'challengeId'];

const boardLine = ({ name, rank, members, score, endsAt }: PlayerRank) => ({
  leaderboard: textOf(name),
  ...{ rank, of: members, score, resets: endsAt },
});

export default class PlayersGet extends ProjectCommand {
  static override summary = playerRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42'];
  static override args = { user: nameArgument('player') };

  async run(): Promise<void> {
    const { args } = await this.input(PlayersGet);
    const params = { projectId: await this.projectId(), userId: args.user };
    const player = await this.client.call(playerRoutes.get, { params });
    this.show(player, ['userId', 'info']);
    if (this.common.json === true) return;
    const { challenges, battlePasses, leaderboards, sanctions } = player;
    if (challenges.length > 0) this.log(`\n${table(challenges.map(challengeLine), challengeColumns, this.screen)}`);
    for (const { name, premiumAt, completed, levels } of battlePasses) {
      this.log(`\nBattle pass ${textOf(name)}${premiumAt ? ', premium' : ''}${completed ? ', completed' : ''}`);
      this.log(table(levels.map(levelLine), ['position', 'state', 'challenges'], this.screen));
    }
    if (leaderboards.length > 0)
      this.log(
        `\n${table(leaderboards.map(boardLine), ['leaderboard', 'rank', 'of', 'score', 'resets'], this.screen)}`,
      );
    if (sanctions.length > 0) this.log(`\n${table(sanctions, ['type', 'endAt', 'reason', 'id'], this.screen)}`);
  }
}
