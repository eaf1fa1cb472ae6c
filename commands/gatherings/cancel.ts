import { GatheringCommand, gatheringArgument } from '../../src/cli/gatherings/gatherings.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';

export default class GatheringsCancel extends GatheringCommand {
  static override summary = gatheringRoutes.cancel.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> GATHERING',
    '<%= config.bin %> <%= command.id %> GATHERING --yes',
  ];
  static override args = { gathering: gatheringArgument };
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(GatheringsCancel);
    const projectId = await this.projectId();
    const params = { projectId, id: args.gathering };
    const { name } = await this.client.call(gatheringRoutes.get, { params });
    await confirm(name, `This cancels the gathering ${name}; open invitations are declined.`, flags);
    const answer = await this.client.call(gatheringRoutes.cancel, { params });
    this.show(answer, ['id', 'name', 'status', 'roomId', 'sessionId']);
  }
}
