/** What the commands about rules share. */
import { Args, Flags } from '@oclif/core';
import { ApiError } from '../client/errors.js';
import { type CreateRuleRequest, type Rule, RuleChangeFile, RuleFile, ruleRoutes } from '../contract/rules/rules.js';
import { type FileText, readFileText } from '../file-text.js';
import { ProjectCommand } from './command.js';
import { NotUnderstood } from './times.js';
import { readWritten } from './written-file.js';

export const ruleArgs = { id: Args.string({ required: true, description: 'Rule, by its id or name' }) };

export const fileFlag = Flags.string({ char: 'f', description: 'Rule file in YAML or JSON; -: standard input' });

/** Throws NotUnderstood, with the line of everything that is wrong. */
export const readRuleFile = (path: string): Promise<FileText<CreateRuleRequest>> =>
  readWritten(path, (text) => readFileText(text, RuleFile));

/** What a rule file states of these fields, without defaults. Throws NotUnderstood, with the line of everything that is wrong. */
export const readRuleChange = async (path: string): Promise<RuleChangeFile> =>
  (await readWritten(path, (text) => readFileText(text, RuleChangeFile))).file;

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

export abstract class RuleCommand extends ProjectCommand {
  /** The rule of an id or a name. Throws NotUnderstood. */
  protected async rule(projectId: string, named: string): Promise<Rule> {
    const params = { projectId, id: named };
    const found = await this.client.call(ruleRoutes.get, { params }).catch((error: unknown) => {
      if (isNotFound(error)) return null;
      throw error;
    });
    if (found !== null) return found;
    const rules = await this.client.call(ruleRoutes.list, { params: { projectId } });
    const byName = rules.find(({ name }) => name === named);
    if (byName !== undefined) return byName;
    const others = rules.map(({ id, name }) => `\n  ${id}  ${name}`).join('');
    throw new NotUnderstood(`There is no rule "${named}".${others === '' ? '' : ` There are:${others}`}`);
  }

  /** What people read of a rule; --json has everything. */
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
    const projectId = await this.projectId();
    const { id } = await this.rule(projectId, args.id);
    const params = { projectId, id };
    this.showRule(await this.client.call(ruleRoutes.update, { params, body: { enabled: this.enabled } }));
  }
}
