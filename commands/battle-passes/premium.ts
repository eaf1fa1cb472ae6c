import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { battlePassProgressRoutes, Purchase } from '../../src/contract/gameplay/battle-pass-progress.js';

export default class BattlePassesPremium extends ProjectCommand {
  static override summary = battlePassProgressRoutes.premium.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> u_42 PASS',
    '<%= config.bin %> <%= command.id %> u_42 PASS --purchase-price 9.99 --purchase-currency EUR',
  ];
  static override args = {
    user: nameArgument('player'),
    pass: nameArgument('battlePass'),
  };
  static override flags = flagsFor(Purchase);

  async run(): Promise<void> {
    const { args, flags } = await this.input(BattlePassesPremium);
    const params = { projectId: await this.projectId(), userId: args.user, id: args.pass };
    const body = requestFrom(Purchase, flags);
    this.show(await this.client.call(battlePassProgressRoutes.premium, { params, body }), [
      'battlePassId',
      'userId',
      'purchaseId',
      'premiumAt',
    ]);
  }
}
