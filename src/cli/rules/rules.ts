/** Shared parts of the commands about rules. */
import * as Flags from '@oclif/core/flags';
import type { EarshotClient } from '../../client/earshot-client.js';
import type { RuleDefinition } from '../../contract/rules/rule-definition.js';
import { type CreateRuleRequest, type Rule, RuleChangeFile, RuleFile, ruleRoutes } from '../../contract/rules/rules.js';
import { type FileText, readFileText } from '../../files/file-text.js';
import { ProjectCommand } from '../command/command.js';
import { isClosed, noneWhere } from '../command/refusals.js';
import { readWritten } from '../files/written-file.js';
import { nameArgument } from '../names/kinds.js';
import { durationsInSeconds } from '../typed/durations.js';

export const ruleArgs = { id: nameArgument('rule') };

export const fileFlag = Flags.string({ char: 'f', description: 'Rule file in YAML or JSON; -: standard input' });

/** Throws UsageError, with the line of everything that is wrong. */
export const readRuleFile = (path: string): Promise<FileText<CreateRuleRequest>> =>
  readWritten(path, (text) => readFileText(text, RuleFile, durationsInSeconds));

/**
 * Reads the fields that a rule file states, without defaults. Throws UsageError, with the line of everything that is
 * wrong.
 */
export const readRuleChange = (path: string): Promise<FileText<RuleChangeFile>> =>
  readWritten(path, (text) => readFileText(text, RuleChangeFile, durationsInSeconds));

/** Names of the rules with a condition on annotations of the plugin; none where the credential may not read rules. */
export async function rulesOnPlugin(client: EarshotClient, projectId: string, slug: string): Promise<string[]> {
  const rules = await client.call(ruleRoutes.list, { params: { projectId } }).catch(noneWhere(isClosed));
  const reads = ({ when: { all, any, none } }: RuleDefinition) =>
    [...all, ...any, ...none].some(
      ({ annotation, count }) => annotation?.plugin === slug || count?.of.annotation?.plugin === slug,
    );
  return rules.filter(({ definition }) => reads(definition)).map(({ name }) => name);
}

export abstract class RuleCommand extends ProjectCommand {
  /** Returns the rule; a typed name has become its id. */
  protected rule(projectId: string, id: string): Promise<Rule> {
    return this.client.call(ruleRoutes.get, { params: { projectId, id } });
  }

  /** Prints the fields of a rule that people read; --json has everything. */
  protected showRule(rule: Rule): void {
    const { definition, ...row } = rule;
    this.show(this.common.json === true ? rule : { ...row, mode: definition.mode });
  }
}

/** Switches a rule on or off. */
export abstract class SwitchRule extends RuleCommand {
  static override args = ruleArgs;

  protected abstract readonly enabled: boolean;

  async run(): Promise<void> {
    const { args } = await this.input(SwitchRule);
    const params = { projectId: await this.projectId(), id: args.id };
    this.showRule(await this.client.call(ruleRoutes.update, { params, body: { enabled: this.enabled } }));
  }
}
