import * as Flags from '@oclif/core/flags';
import { GatheringCommand, gatheringArgument } from '../../src/cli/gatherings/gatherings.js';
import { stated } from '../../src/cli/typed/fields.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';

export default class GatheringsStart extends GatheringCommand {
  static override summary = gatheringRoutes.start.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> GATHERING --room hall'];
  static override args = { gathering: gatheringArgument };
  static override flags = {
    room: Flags.string({ description: 'Room to bind; default: the one it has', aliases: ['room-id'] }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(GatheringsStart);
    const projectId = await this.projectId();
    const params = { projectId, id: args.gathering };
    const body = stated({ roomId: flags.room });
    const answer = await this.client.call(gatheringRoutes.start, { params, body });
    this.show(answer, ['id', 'name', 'status', 'roomId', 'sessionId']);
  }
}
