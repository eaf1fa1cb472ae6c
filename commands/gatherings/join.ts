import * as Args from '@oclif/core/args';
import { GatheringCommand, memberColumns, peopleArgument } from '../../src/cli/gatherings/gatherings.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';

export default class GatheringsJoin extends GatheringCommand {
  static override summary = gatheringRoutes.join.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> ABCD-EFGH ann',
    'cut -d, -f1 team.csv | <%= config.bin %> <%= command.id %> ABCD-EFGH -',
  ];
  static override strict = false;
  static override args = { code: Args.string({ required: true, description: 'Join code' }), people: peopleArgument };

  async run(): Promise<void> {
    const { args, argv } = await this.input(GatheringsJoin);
    const [, ...people] = argv;
    const projectId = await this.projectId();
    const answers = await this.forEach(people, async (named) => {
      const body = { joinCode: args.code, participantId: await this.personId(named) };
      return this.client.call(gatheringRoutes.join, { params: { projectId }, body });
    });
    this.listPeople(
      people,
      answers,
      memberColumns,
      answers.map(({ member }) => member),
    );
  }
}
