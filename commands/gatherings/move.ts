import {
  GatheringCommand,
  gatheringArgument,
  memberColumns,
  peopleArgument,
} from '../../src/cli/gatherings/gatherings.js';
import { requiredNameFlag } from '../../src/cli/names/kinds.js';
import { gatheringMemberRoutes } from '../../src/contract/gatherings/gathering-members.js';

export default class GatheringsMove extends GatheringCommand {
  static override summary = gatheringMemberRoutes.move.summary;
  static override description =
    '`gatherings update GATHERING --starts-at TIME` moves the gathering itself to another time.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Team red" bob --to "Team blue"',
    '<%= config.bin %> <%= command.id %> "Team red" - --to "Team blue" < swap.txt',
  ];
  static override strict = false;
  static override args = { gathering: gatheringArgument, people: peopleArgument };
  static override flags = { to: requiredNameFlag('gathering', 'The gathering in which they get a seat') };

  async run(): Promise<void> {
    const { args, flags, argv } = await this.input(GatheringsMove);
    const [, ...people] = argv;
    const projectId = await this.projectId();
    const members = await this.forEach(people, async (named) => {
      const params = { projectId, id: args.gathering, memberId: await this.personId(named) };
      return this.client.call(gatheringMemberRoutes.move, { params, body: { gatheringId: flags.to } });
    });
    this.listPeople(people, members, memberColumns);
  }
}
