import { ChallengeAction } from '../../src/cli/gameplay/challenge-action.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';

export default class PlayersActivate extends ChallengeAction {
  static override summary = playerRoutes.activate.summary;
  protected readonly route = playerRoutes.activate;
}
