import { ProjectCommand } from '../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { deletionRoutes } from '../../src/contract/gameplay/deletions.js';

export default class GameplayDeletions extends ProjectCommand {
  static override summary = deletionRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];
  static override flags = flagsFor(deletionRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(GameplayDeletions);
    const answer = await this.client.call(deletionRoutes.list, {
      params: { projectId: await this.projectId() },
      query: requestFrom(deletionRoutes.list.query, flags),
    });
    const rows = answer.deletions.map(({ objects, ...deletion }) => ({ ...deletion, first: objects[0]?.name }));
    this.list(answer, rows, ['id', 'expiresAt', 'count', 'first']);
  }
}
