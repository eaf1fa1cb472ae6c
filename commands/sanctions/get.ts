import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { evidenceView } from '../../src/cli/moderation/sanction-evidence.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { moderatorNames, namedRecord } from '../../src/cli/names/moderators.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';

export default class SanctionsGet extends ProjectCommand {
  static override summary = sanctionRoutes.get.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> SANCTION',
    '<%= config.bin %> <%= command.id %> SANCTION --evidence',
  ];
  static override args = { sanction: nameArgument('sanction') };

  static override flags = {
    evidence: Flags.boolean({ description: 'Show why: the rule, its version, the facts, the messages, the reviews' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SanctionsGet);
    const params = { projectId: await this.projectId(), id: args.sanction };
    if (flags.evidence) {
      const chain = await this.client.call(ruleDecisionRoutes.chain, { params });
      if (this.common.json === true) return this.show(chain);
      const nameOf = await moderatorNames(this.client, params.projectId);
      for (const line of evidenceView(chain, nameOf)) this.log(line);
      return;
    }
    const sanction = await this.client.call(sanctionRoutes.get, { params });
    this.show(this.common.json === true ? sanction : await namedRecord(this.client, params.projectId, sanction));
  }
}
