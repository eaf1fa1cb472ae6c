import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { harmless } from '../../src/text/printable.js';

export default class SanctionsStatement extends ProjectCommand {
  static override summary = statementRoutes.get.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> SANCTION',
    '<%= config.bin %> <%= command.id %> SANCTION --language de',
  ];
  static override args = { sanction: nameArgument('sanction') };
  static override flags = flagsFor(statementRoutes.get.query);

  async run(): Promise<void> {
    const { args, flags } = await this.input(SanctionsStatement);
    const statement = await this.client.call(statementRoutes.get, {
      params: { projectId: await this.projectId(), id: args.sanction },
      query: requestFrom(statementRoutes.get.query, flags),
    });
    if (this.common.json === true) return this.show(statement);
    for (const line of [statement.title, ...statement.text.split('\n'), statement.url ?? '']) this.log(harmless(line));
  }
}
