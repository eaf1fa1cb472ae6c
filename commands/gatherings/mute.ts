import { roomOfGathering } from '../../src/cli/gatherings/gathering-room.js';
import { gatheringArgument } from '../../src/cli/gatherings/gatherings.js';
import { RestrictCommand, restrictionTerm } from '../../src/cli/rooms/restrict.js';

export default class GatheringsMute extends RestrictCommand {
  static override summary = 'Mute everybody in the room of a gathering but moderators.';
  static override examples = ['<%= config.bin %> <%= command.id %> "Team red" 10m'];
  static override args = { gathering: gatheringArgument, duration: restrictionTerm };

  protected override readonly kind = 'mute';

  async run(): Promise<void> {
    const { args } = await this.input(GatheringsMute);
    await this.restrict(await roomOfGathering(this.client, await this.projectId(), args.gathering), args.duration);
  }
}
