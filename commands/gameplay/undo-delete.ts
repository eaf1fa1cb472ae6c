import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { deletionRoutes } from '../../src/contract/gameplay/deletions.js';

export default class GameplayUndoDelete extends ProjectCommand {
  static override summary = deletionRoutes.undo.summary;
  static override description = deletionRoutes.undo.description ?? '';
  static override examples = ['<%= config.bin %> <%= command.id %> DELETION'];
  static override args = {
    deletion: Args.string({
      required: true,
      description: 'Deletion, from `gameplay deletions`, or the id of an object that was deleted',
    }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(GameplayUndoDelete);
    const params = { projectId: await this.projectId(), id: args.deletion };
    const undone = await this.client.call(deletionRoutes.undo, { params });
    if (this.common.json === true) this.printJson(undone);
    const names = undone.objects.map(({ name }) => name).join(', ');
    this.logToStderr(
      `Restored with the progress of players: ${names}${undone.count > undone.objects.length ? ' and more' : ''}.`,
    );
  }
}
