import { ChallengeActionCommand } from '../../src/cli/gameplay/challenge-action.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';

export default class PlayersClaim extends ChallengeActionCommand {
  static override summary = playerRoutes.claim.summary;
  protected readonly route = playerRoutes.claim;
}
