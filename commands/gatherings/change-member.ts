import {
  GatheringCommand,
  gatheringArgument,
  memberColumns,
  personArgument,
} from '../../src/cli/gatherings/gatherings.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { gatheringMemberRoutes, UpdateMemberRequest } from '../../src/contract/gatherings/gathering-members.js';

export default class GatheringsChangeMember extends GatheringCommand {
  static override summary = gatheringMemberRoutes.update.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> GATHERING bob --role owner'];
  static override args = { gathering: gatheringArgument, person: personArgument };
  static override flags = flagsFor(UpdateMemberRequest);

  async run(): Promise<void> {
    const { args, flags } = await this.input(GatheringsChangeMember);
    const projectId = await this.projectId();
    const params = {
      projectId,
      id: args.gathering,
      memberId: args.person,
    };
    const body = requestFrom(UpdateMemberRequest, flags);
    this.show(await this.client.call(gatheringMemberRoutes.update, { params, body }), memberColumns);
  }
}
