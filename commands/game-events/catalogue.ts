import { EarshotCommand } from '../../src/cli/command/command.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';

export default class GameEventsCatalogue extends EarshotCommand {
  static override summary = gameplayRoutes.getAvailableEvents.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(GameEventsCatalogue);
    const answer = await this.client.call(gameplayRoutes.getAvailableEvents, {});
    const names = (properties: readonly { property_name: string }[]) =>
      properties.map(({ property_name: name }) => name).join(' ');
    const rows = answer.map(({ event_name: event, required_properties, optional_properties }) => ({
      event,
      required: names(required_properties),
      optional: names(optional_properties),
    }));
    this.list(answer, rows, ['event', 'required', 'optional']);
  }
}
