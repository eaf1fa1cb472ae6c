import * as Flags from '@oclif/core/flags';
import { atLines } from '../../src/cli/files/written-file.js';
import { RuleCommand, readRuleFile } from '../../src/cli/rules/rules.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';

export default class RulesCreate extends RuleCommand {
  static override summary = ruleRoutes.create.summary;
  static override description =
    '`rules schema` prints the JSON Schema of rule files, for completion and checks in editors.';
  static override examples = ['<%= config.bin %> <%= command.id %> -f rule.yaml'];
  static override flags = {
    file: Flags.string({ char: 'f', required: true, description: 'Rule file in YAML or JSON; -: standard input' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(RulesCreate);
    const written = await readRuleFile(flags.file);
    const params = { projectId: await this.projectId() };
    const rule = await this.client.call(ruleRoutes.create, { params, body: written.file }).catch((refused: unknown) => {
      throw atLines(flags.file, written, refused, ['body']);
    });
    this.showRule(rule);
  }
}
