import { GatheringCommand, gatheringArgument, peopleArgument } from '../../src/cli/gatherings/gatherings.js';
import { gatheringMemberRoutes } from '../../src/contract/gatherings/gathering-members.js';

export default class GatheringsLeave extends GatheringCommand {
  static override summary = gatheringMemberRoutes.remove.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> GATHERING bob'];
  static override strict = false;
  static override args = { gathering: gatheringArgument, people: peopleArgument };

  async run(): Promise<void> {
    const { args, argv } = await this.input(GatheringsLeave);
    const [, ...people] = argv;
    const projectId = await this.projectId();
    const id = args.gathering;
    await this.forEach(people, async (named) => {
      const memberId = await this.personId(named);
      await this.client.call(gatheringMemberRoutes.remove, { params: { projectId, id, memberId } });
      this.logToStderr(`${named} has left.`);
    });
  }
}
