import { ChallengeAction } from '../../src/cli/gameplay/challenge-action.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';

export default class PlayersUnlock extends ChallengeAction {
  static override summary = playerRoutes.unlock.summary;
  protected readonly route = playerRoutes.unlock;
}
