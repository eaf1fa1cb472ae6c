import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { battlePassProgressRoutes, Purchase } from '../../src/contract/gameplay/battle-pass-progress.js';

export default class BattlePassesUnlock extends ProjectCommand {
  static override summary = battlePassProgressRoutes.unlock.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> u_42 PASS --purchase-price 9.99 --purchase-currency EUR',
  ];
  static override args = {
    user: nameArgument('player'),
    pass: nameArgument('battlePass'),
  };
  static override flags = flagsFor(Purchase);

  async run(): Promise<void> {
    const { args, flags } = await this.input(BattlePassesUnlock);
    const params = { projectId: await this.projectId(), userId: args.user, id: args.pass };
    const body = requestFrom(Purchase, flags);
    this.show(await this.client.call(battlePassProgressRoutes.unlock, { params, body }), [
      'battlePassId',
      'userId',
      'purchaseId',
      'unlockedAt',
      'premiumAt',
    ]);
  }
}
