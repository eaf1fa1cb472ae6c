import { ProjectCommand } from '../../src/cli/command/command.js';
import { whoOf } from '../../src/cli/moderation/sanction-rows.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { RevokeSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';

export default class SanctionsRevoke extends ProjectCommand {
  static override summary = sanctionRoutes.revoke.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SANCTION --reason appeal'];
  static override args = { sanction: nameArgument('sanction') };
  static override flags = flagsFor(RevokeSanctionRequest);

  async run(): Promise<void> {
    const { args, flags } = await this.input(SanctionsRevoke);
    const answer = await this.client.call(sanctionRoutes.revoke, {
      params: { projectId: await this.projectId(), id: args.sanction },
      body: requestFrom(RevokeSanctionRequest, flags),
    });
    const { type, status, revokeReason, id } = answer;
    this.show(this.common.json === true ? answer : { who: whoOf(answer), type, status, revokeReason, id });
  }
}
