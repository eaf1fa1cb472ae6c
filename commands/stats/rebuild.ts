import { ProjectCommand } from '../../src/cli/command/command.js';
import { moderationStatsRoutes } from '../../src/contract/stats/moderation-stats.js';

const route = moderationStatsRoutes.rebuild;

export default class StatsRebuild extends ProjectCommand {
  static override summary = route.summary;
  static override description = route.description;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(StatsRebuild);
    const params = { projectId: await this.projectId() };
    this.show(await this.client.call(route, { params }));
  }
}
