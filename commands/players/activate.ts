import { ChallengeActionCommand } from '../../src/cli/gameplay/challenge-action.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';

export default class PlayersActivate extends ChallengeActionCommand {
  static override summary = playerRoutes.activate.summary;
  protected readonly route = playerRoutes.activate;
}
