import { ChallengeAction } from '../../src/cli/gameplay/challenge-action.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';

export default class PlayersCancel extends ChallengeAction {
  static override summary = playerRoutes.cancel.summary;
  protected readonly route = playerRoutes.cancel;
}
