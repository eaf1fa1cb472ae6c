import { EarshotCommand } from '../../src/cli/command/command.js';
import { seasonSchema } from '../../src/contract/gameplay/season-schema.js';

export default class GameplaySchema extends EarshotCommand {
  static override summary = 'Print the JSON Schema of season files, for completion and checks in editors.';
  static override examples = ['<%= config.bin %> <%= command.id %> > season.schema.json'];

  async run(): Promise<void> {
    await this.input(GameplaySchema);
    this.log(JSON.stringify(seasonSchema(), null, 2));
  }
}
