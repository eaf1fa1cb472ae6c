import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { cleared, clearFlag } from '../../src/cli/typed/clear.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { sanctionRoutes, UpdateSanctionRequest } from '../../src/contract/moderation/sanctions.js';

export default class SanctionsUpdate extends ProjectCommand {
  static override summary = sanctionRoutes.update.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> SANCTION --duration 2h',
    '<%= config.bin %> <%= command.id %> SANCTION --clear endAt',
  ];
  static override args = { sanction: nameArgument('sanction') };
  static override flags = { ...flagsFor(UpdateSanctionRequest), ...clearFlag(UpdateSanctionRequest) };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SanctionsUpdate);
    const answer = await this.client.call(sanctionRoutes.update, {
      params: { projectId: await this.projectId(), id: args.sanction },
      body: requestFrom(UpdateSanctionRequest, flags, cleared(flags)),
    });
    this.show(answer);
  }
}
