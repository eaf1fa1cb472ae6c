import * as Flags from '@oclif/core/flags';
import {
  GatheringCommand,
  gatheringArgument,
  memberColumns,
  peopleArgument,
} from '../../src/cli/gatherings/gatherings.js';
import { gatheringMemberRoutes } from '../../src/contract/gatherings/gathering-members.js';

export default class GatheringsReady extends GatheringCommand {
  static override summary = 'Set or clear the ready mark of a member.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> GATHERING ann',
    '<%= config.bin %> <%= command.id %> GATHERING ann --not',
  ];
  static override strict = false;
  static override args = { gathering: gatheringArgument, people: peopleArgument };
  static override flags = { not: Flags.boolean({ description: 'Clear the mark' }) };

  async run(): Promise<void> {
    const { args, flags, argv } = await this.input(GatheringsReady);
    const [, ...people] = argv;
    const projectId = await this.projectId();
    const id = args.gathering;
    const members = await this.forEach(people, async (named) => {
      const params = { projectId, id, memberId: await this.personId(named) };
      return this.client.call(gatheringMemberRoutes.update, { params, body: { ready: flags.not !== true } });
    });
    this.listPeople(people, members, memberColumns.toSpliced(-1, 0, 'readyAt')); // ids come last
  }
}
