import * as Args from '@oclif/core/args';
import { GatheringCommand, memberColumns, peopleArgument } from '../../src/cli/gatherings/gatherings.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';

export default class GatheringsJoin extends GatheringCommand {
  static override summary = gatheringRoutes.join.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> ABCD-EFGH ann',
    'cut -d, -f1 team.csv | <%= config.bin %> <%= command.id %> ABCD-EFGH -',
  ];
  static override args = { code: Args.string({ required: true, description: 'Join code' }), people: peopleArgument };

  async run(): Promise<void> {
    const { args } = await this.input(GatheringsJoin);
    const projectId = await this.projectId();
    const answers = await this.forEach(args.people, async (named) => {
      const body = { joinCode: args.code, participantId: await this.personId(named) };
      return this.client.call(gatheringRoutes.join, { params: { projectId }, body });
    });
    this.list(
      args.people === '-' ? answers : answers[0],
      answers.map(({ member }) => member),
      memberColumns,
    );
  }
}
