import { roomOfGathering } from '../../src/cli/gatherings/gathering-room.js';
import { gatheringArgument } from '../../src/cli/gatherings/gatherings.js';
import { LiftCommand } from '../../src/cli/rooms/restrict.js';

export default class GatheringsUnmute extends LiftCommand {
  static override summary = 'Let people in the muted room of a gathering speak again.';
  static override examples = ['<%= config.bin %> <%= command.id %> "Team red"'];
  static override args = { gathering: gatheringArgument };

  protected override readonly kind = 'unmute';

  async run(): Promise<void> {
    const { args } = await this.input(GatheringsUnmute);
    await this.lift(await roomOfGathering(this.client, await this.projectId(), args.gathering));
  }
}
