import * as Flags from '@oclif/core/flags';
import { GatheringCommand, gatheringArgument } from '../../src/cli/gatherings/gatherings.js';
import { nameFlag } from '../../src/cli/names/kinds.js';
import { cleared, clearFlag } from '../../src/cli/typed/clear.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { repeated } from '../../src/cli/typed/repeated.js';
import { gatheringRoutes, UpdateGatheringRequest } from '../../src/contract/gatherings/gatherings.js';

export default class GatheringsUpdate extends GatheringCommand {
  static override summary = gatheringRoutes.update.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> GATHERING --max-members 12 --listed',
    '<%= config.bin %> <%= command.id %> GATHERING --owner bob --clear description --clear endsAt',
  ];
  static override args = { gathering: gatheringArgument };
  static override flags = {
    ...flagsFor(UpdateGatheringRequest, ['ownerId', 'participants']),
    owner: nameFlag('participant', 'Member who takes over'),
    email: Flags.string({ ...repeated, description: 'Further address that gets a mail' }),
    ...clearFlag(UpdateGatheringRequest),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(GatheringsUpdate);
    const projectId = await this.projectId();
    const emails = Array.isArray(flags.email) ? flags.email.map((email) => ({ email: String(email) })) : [];
    const body = requestFrom(UpdateGatheringRequest, flags, {
      ...cleared(flags),
      ...(emails.length === 0 ? {} : { participants: emails }),
      ...(flags.owner !== undefined ? { ownerId: flags.owner } : {}),
    });
    const params = { projectId, id: args.gathering };
    this.showGathering(await this.client.call(gatheringRoutes.update, { params, body }));
  }
}
