import { PassPurchaseCommand } from '../../src/cli/gameplay/pass-purchase-command.js';
import { battlePassProgressRoutes } from '../../src/contract/gameplay/battle-pass-progress.js';

export default class BattlePassesUnlock extends PassPurchaseCommand {
  static override summary = battlePassProgressRoutes.unlock.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> u_42 PASS --purchase-price 9.99 --purchase-currency EUR',
  ];

  protected override readonly operation = 'unlock';
  protected override readonly columns = ['battlePassId', 'userId', 'purchaseId', 'unlockedAt', 'premiumAt'];
}
