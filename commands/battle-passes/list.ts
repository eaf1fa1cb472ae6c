import { ProjectCommand } from '../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';

export default class BattlePassesList extends ProjectCommand {
  static override summary = battlePassRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --search week',
  ];
  static override flags = flagsFor(battlePassRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(BattlePassesList);
    const params = { projectId: await this.projectId() };
    const query = requestFrom(battlePassRoutes.list.query, flags);
    const answer = await this.client.call(battlePassRoutes.list, { params, query });
    this.list(answer, answer.battlePasses, ['name.en', 'endDate', 'id']);
  }
}
