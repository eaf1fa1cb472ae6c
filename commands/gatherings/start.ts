import { Flags } from '@oclif/core';
import { stated } from '../../src/cli/fields.js';
import { GatheringCommand, gatheringArgument } from '../../src/cli/gatherings.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';

export default class GatheringsStart extends GatheringCommand {
  static override summary = gatheringRoutes.start.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> GATHERING --room-id hall'];
  static override args = { gathering: gatheringArgument };
  static override flags = { 'room-id': Flags.string({ description: 'Room to bind; left out: the one it has' }) };

  async run(): Promise<void> {
    const { args, flags } = await this.input(GatheringsStart);
    const projectId = await this.projectId();
    const params = { projectId, id: await this.gatheringId(projectId, args.gathering) };
    const body = stated({ roomId: flags['room-id'] });
    const answer = await this.client.call(gatheringRoutes.start, { params, body });
    this.show(answer, ['id', 'name', 'status', 'roomId', 'sessionId']);
  }
}
