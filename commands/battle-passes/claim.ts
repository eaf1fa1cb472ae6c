import { PlayerLevelCommand, type PlayerLevelParams } from '../../src/cli/gameplay/player-level.js';
import { battlePassProgressRoutes } from '../../src/contract/gameplay/battle-pass-progress.js';

export default class BattlePassesClaim extends PlayerLevelCommand {
  static override summary = battlePassProgressRoutes.claimLevel.summary;

  protected call = (params: PlayerLevelParams) => this.client.call(battlePassProgressRoutes.claimLevel, { params });
}
