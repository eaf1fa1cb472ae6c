import * as Flags from '@oclif/core/flags';
import {
  GatheringCommand,
  gatheringArgument,
  memberColumns,
  peopleArgument,
} from '../../src/cli/gatherings/gatherings.js';
import { gatheringMemberRoutes, MemberRole } from '../../src/contract/gatherings/gathering-members.js';

export default class GatheringsAdd extends GatheringCommand {
  static override summary = gatheringMemberRoutes.add.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> GATHERING bob --role owner',
    '<%= config.bin %> <%= command.id %> GATHERING ann bob',
    '<%= config.bin %> <%= command.id %> GATHERING - < team.txt',
  ];
  static override strict = false;
  static override args = { gathering: gatheringArgument, people: peopleArgument };
  static override flags = {
    role: Flags.string({ options: [...MemberRole.options], description: 'owner: takes over from the present one' }),
  };

  async run(): Promise<void> {
    const { args, flags, argv } = await this.input(GatheringsAdd);
    const [, ...people] = argv;
    const projectId = await this.projectId();
    const params = { projectId, id: args.gathering };
    const role = MemberRole.optional().parse(flags.role);
    const members = await this.forEach(people, async (named) => {
      const body = { participantId: await this.personId(named), role };
      return this.client.call(gatheringMemberRoutes.add, { params, body });
    });
    this.listPeople(people, members, memberColumns);
  }
}
