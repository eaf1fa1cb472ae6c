import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { atLines } from '../../src/cli/files/written-file.js';
import { nameFlag } from '../../src/cli/names/kinds.js';
import { failedGates, shareText } from '../../src/cli/rules/rule-gates.js';
import { readRuleFile } from '../../src/cli/rules/rules.js';
import { daemonNow } from '../../src/cli/typed/daemon-clock.js';
import { stated } from '../../src/cli/typed/fields.js';
import { parseTime } from '../../src/cli/typed/times.js';
import { type RuleTestReport, runRuleTest } from '../../src/client/rule-test.js';
import type { RuleTestMatch } from '../../src/contract/rules/rule-tests.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { ProgressLine } from '../../src/terminal/progress.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import { numberOf } from '../../src/text/number.js';

const slowMs = 1_000;
const share = (text: string | undefined, flag: string): number | undefined => {
  if (text === undefined) return undefined;
  const value = numberOf(text);
  if (value === null || value < 0 || value > 1) throw new UsageError(`${flag}: write a number from 0 to 1.`);
  return value;
};

/** Rules read what plugins say of lines: without that, nothing can match. */
function withoutMatches(messages: number, annotated: number): string {
  if (messages === 0) return 'Nothing was said in this time; `earshot sessions list` shows the sessions.';
  if (annotated === 0)
    return 'None of the lines had an annotation, so no condition on a plugin could match. `earshot plugins installed` shows which plugins are on; they annotate only what is said from then on.';
  return `${annotated} of the lines had annotations, and none met the conditions.`;
}

export default class RulesTest extends ProjectCommand {
  static override summary = 'Run a rule over stored transcripts, and show whom it would have sanctioned.';
  static override description =
    'Nothing is stored and nobody is sanctioned. Precision and recall count people in sessions: a sanction that a person imposed or a review upheld confirms the rule; one that was overturned or revoked refutes it. Cases that nobody decided are counted separately. The rule is compared with the current version of the rule of the same name. Exits with 1 when a --min or --max flag is not met.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> -f rule.yaml --against sessions:30d',
    '<%= config.bin %> <%= command.id %> -f rule.yaml --min-precision 0.95 --min-recall 0.5 --max-new 10',
  ];
  static override flags = {
    file: Flags.string({ char: 'f', required: true, description: 'Rule file in YAML or JSON; -: standard input' }),
    against: Flags.string({ default: 'sessions:30d', description: 'Transcripts to run over, such as sessions:30d' }),
    rule: nameFlag('rule', 'Compare with this rule, by name or id; default: the one of the same name'),
    'min-precision': Flags.string({ description: 'Lowest acceptable precision, from 0 to 1' }),
    'min-recall': Flags.string({ description: 'Lowest acceptable recall, from 0 to 1' }),
    'max-new': Flags.integer({ min: 0, description: 'How often it may act where the current version does not' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(RulesTest);
    const now = daemonNow();
    const [, past] = /^sessions:(.+)$/.exec(flags.against) ?? [];
    if (past === undefined) throw new UsageError('--against: write sessions:30d, or another time.');
    const gates = {
      minPrecision: share(flags['min-precision'], '--min-precision'),
      minRecall: share(flags['min-recall'], '--min-recall'),
      maxNew: flags['max-new'],
    };
    const written = await readRuleFile(flags.file);
    const { name, definition, exempt, sanctionsPerHourMax } = written.file;
    const projectId = await this.projectId();
    const ruleId = flags.rule ?? (await this.ofSameName(projectId, name));
    const [since, until] = [parseTime(past, now, 'past'), now.toISOString()];
    const progress = new ProgressLine();
    const report = await runRuleTest(this.client, {
      projectId,
      request: { definition, exempt, sanctionsPerHourMax, since, until, ...stated({ ruleId }) },
      onPage: (messages, upTo) => {
        if (daemonNow().getTime() - now.getTime() < slowMs) return;
        const [done, whole] = [Date.parse(upTo) - Date.parse(since), Date.parse(until) - Date.parse(since)];
        progress.show(done, whole, `${messages.toLocaleString('en')} messages, up to ${upTo}`);
      },
    })
      .finally(() => progress.clear())
      .catch((refused: unknown) => {
        throw atLines(flags.file, written, refused, ['body']);
      });
    const failed = failedGates(report, gates);
    if (this.common.json === true) this.log(JSON.stringify({ ...report, failed }, null, 2));
    else this.printReport(report);
    for (const reason of failed) this.logToStderr(reason);
    if (failed.length > 0) this.checkFailed();
  }

  private async ofSameName(projectId: string, name: string): Promise<string | undefined> {
    const rules = await this.client.call(ruleRoutes.list, { params: { projectId } });
    return rules.find((rule) => rule.name === name)?.id;
  }

  private printReport({ messages, annotated, matches, pairs, precision, recall, diff }: RuleTestReport): void {
    this.rows('It would have acted', matches);
    const { confirmed, refuted, missed, undecided } = pairs;
    this.log(`\n${messages} messages; ${matches.length} matches`);
    if (matches.length === 0) this.log(withoutMatches(messages, annotated));
    this.log(
      `people in sessions: ${confirmed} confirmed, ${refuted} refuted, ${missed} missed, ${undecided} undecided`,
    );
    this.log(`precision ${shareText(precision)}, recall ${shareText(recall)}`);
    if (diff === null) {
      this.log('There is no rule to compare with.');
      return;
    }
    this.log(
      `\nCompared with the current version: ${diff.added.length} more, ${diff.removed.length} fewer, ${diff.changed.length} changed`,
    );
    for (const [title, rows] of [
      ['+ more', diff.added],
      ['- fewer', diff.removed],
      ['~ changed', diff.changed],
    ] as const)
      this.rows(title, rows);
  }

  private rows(title: string, matches: readonly RuleTestMatch[]): void {
    if (matches.length === 0) return;
    const rows = matches.map(({ actions, ...one }) => ({
      ...one,
      actions: actions.map(({ sanction, review }) => sanction?.type ?? (review === undefined ? 'webhook' : 'review')),
    }));
    this.log(`\n${title}`);
    this.list(rows, rows, ['at', 'externalUserId', 'actions', 'step', 'score', 'sessionId', 'messageId']);
  }
}
