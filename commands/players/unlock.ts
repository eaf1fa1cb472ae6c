import { ChallengeActionCommand } from '../../src/cli/gameplay/challenge-action.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';

export default class PlayersUnlock extends ChallengeActionCommand {
  static override summary = playerRoutes.unlock.summary;
  protected readonly route = playerRoutes.unlock;
}
