import * as Flags from '@oclif/core/flags';
import { atLines } from '../../src/cli/files/written-file.js';
import { fileFlag, RuleCommand, readRuleChange, ruleArgs } from '../../src/cli/rules/rules.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { RuleMode } from '../../src/contract/rules/rule-definition.js';
import { type RuleChangeFile, ruleRoutes, UpdateRuleRequest } from '../../src/contract/rules/rules.js';
import { UsageError } from '../../src/terminal/usage-error.js';

export default class RulesUpdate extends RuleCommand {
  static override summary = ruleRoutes.update.summary;
  static override description =
    'Fields that neither the file nor a flag sets stay as they are. A definition in the file replaces the whole definition, except for a mode that it does not set.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> RULE -f rule.yaml',
    '<%= config.bin %> <%= command.id %> RULE --mode enforce',
    '<%= config.bin %> <%= command.id %> RULE --sanctions-per-hour-max 5 --exempt streamer-1 --exempt streamer-2',
  ];
  static override args = ruleArgs;
  static override flags = {
    ...flagsFor(UpdateRuleRequest, ['definition', 'enabled']),
    file: fileFlag,
    mode: Flags.string({ options: RuleMode.options, description: 'Keep the definition, in this mode' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(RulesUpdate);
    const { file: path, mode, ...typed } = flags;
    const projectId = await this.projectId();
    const { id, definition } = await this.rule(projectId, args.id);
    const change = path === undefined ? null : await readRuleChange(path);
    const { definition: written, ...file }: RuleChangeFile = change?.file ?? {};
    const changed = {
      ...(written ?? definition),
      mode: mode === undefined ? (written?.mode ?? definition.mode) : RuleMode.parse(mode),
    };
    const isMeant = written !== undefined || mode !== undefined;
    const body = { ...file, ...requestFrom(UpdateRuleRequest, typed, isMeant ? { definition: changed } : {}) };
    if (Object.keys(body).length === 0) throw new UsageError('Say what to change, with -f or another flag.');
    const call = this.client.call(ruleRoutes.update, { params: { projectId, id }, body });
    const rule = await call.catch((refused: unknown) => {
      throw path === undefined || change === null ? refused : atLines(path, change, refused, ['body']);
    });
    this.showRule(rule);
  }
}
