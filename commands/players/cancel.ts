import { ChallengeActionCommand } from '../../src/cli/gameplay/challenge-action.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';

export default class PlayersCancel extends ChallengeActionCommand {
  static override summary = playerRoutes.cancel.summary;
  protected readonly route = playerRoutes.cancel;
}
