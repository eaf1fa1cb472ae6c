import { RuleCommand, ruleArgs } from '../../src/cli/rules/rules.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { ruleRoutes, type UndoneRule, UndoRuleRequest } from '../../src/contract/rules/rules.js';

export default class RulesUndo extends RuleCommand {
  static override summary = ruleRoutes.undo.summary;
  static override description =
    'Says how much that is and asks first; `sanctions list --by rule:NAME --since 2h` lists it. Open reviews that the rule asked for are overturned, with the reason as their note. The rule itself keeps running: `rules disable` stops it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> RULE --since 2h --dry-run',
    '<%= config.bin %> <%= command.id %> RULE --since 2h --reason "false alarm"',
    '<%= config.bin %> <%= command.id %> RULE --since "today 18:00" --until "today 19:00" --yes',
  ];
  static override args = ruleArgs;
  static override flags = { ...flagsFor(UndoRuleRequest), ...yesFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.input(RulesUndo);
    const params = { projectId: await this.projectId(), id: args.id };
    const body = requestFrom(UndoRuleRequest, flags);
    const undo = (dryRun: boolean) => this.client.call(ruleRoutes.undo, { params, body: { ...body, dryRun } });
    if (flags['dry-run']) return this.show(await undo(true));
    if (!flags.yes) await confirm('undo', foreseen(await undo(true)), flags);
    this.show(await undo(false));
  }
}

const foreseen = ({ revoked, ended, reviews }: UndoneRule): string =>
  `This revokes ${counted(revoked, 'sanction')} (${ended} of that time ended before) and overturns ${counted(reviews, 'open review')}.`;

const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
