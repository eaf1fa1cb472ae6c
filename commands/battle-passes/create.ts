import { ProjectCommand } from '../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { newNameArgument, newNameFlag, withName } from '../../src/cli/typed/new-name.js';
import { battlePassRoutes, CreateBattlePassRequest } from '../../src/contract/gameplay/battle-passes.js';

export default class BattlePassesCreate extends ProjectCommand {
  static override summary = battlePassRoutes.create.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> "Season 1" --end-date 2027-01-31T00:00:00Z'];
  static override args = { name: newNameArgument };
  static override flags = { ...flagsFor(CreateBattlePassRequest, ['name']), name: newNameFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.input(BattlePassesCreate);
    const params = { projectId: await this.projectId() };
    const body = requestFrom(CreateBattlePassRequest, withName(args, flags));
    this.show(await this.client.call(battlePassRoutes.create, { params, body }), [
      'id',
      'name',
      'startDate',
      'endDate',
      'isUnlockedIncrementally',
    ]);
  }
}
