import * as Flags from '@oclif/core/flags';
import { banned } from '../../src/cli/moderation/ban-type.js';
import { CaseCommand, caseArgument } from '../../src/cli/moderation/cases/act-on-case.js';
import { parseTerm, termEnd } from '../../src/cli/moderation/term.js';
import { daemonNow } from '../../src/cli/typed/daemon-clock.js';
import { flagsFor, requestFrom, stated } from '../../src/cli/typed/fields.js';
import { caseRoutes, DecideCaseRequest } from '../../src/contract/reports/cases.js';
import { UsageError } from '../../src/terminal/usage-error.js';

const { type: Kind, decidedBy } = DecideCaseRequest.shape.sanction.unwrap().shape;
const Decider = decidedBy.unwrap();

export default class CasesDecide extends CaseCommand {
  static override summary = caseRoutes.decide.summary;
  static override description =
    'With --type, the decision is a sanction and the reason code violation, unless the flags say otherwise.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> CASE --decision no_action --reason-code no_violation',
    '<%= config.bin %> <%= command.id %> bob --type ban --duration 1d --reason threats',
    '<%= config.bin %> <%= command.id %> bob --type ban --law "Criminal Code, section 241" --reason threats',
    `<%= config.bin %> <%= command.id %> CASE --decision sanction --reason-code violation --sanction '{"type":"temp_ban","duration":86400,"template":"threats"}'`,
  ];
  static override args = { case: caseArgument() };
  static override flags = {
    ...flagsFor(DecideCaseRequest, ['decision', 'reasonCode']),
    decision: Flags.string({ options: ['no_action', 'sanction'], description: 'sanction: imposes one on the person' }),
    'reason-code': Flags.string({
      options: DecideCaseRequest.shape.reasonCode.options,
      description: DecideCaseRequest.shape.reasonCode.description ?? '',
    }),
    type: Flags.string({
      options: ['ban', ...Kind.options],
      description: 'Kind of sanction to impose',
      exclusive: ['sanction'],
    }),
    duration: Flags.string({
      description: '10m, 2 hours, 7d, until "mon 18:00", or forever; default: until revoked',
      dependsOn: ['type'],
    }),
    reason: Flags.string({ description: 'Reason, shown to the sanctioned person', dependsOn: ['type'] }),
    template: Flags.string({ description: 'Use the reason of this template', dependsOn: ['type'] }),
    law: Flags.string({
      description:
        'The law that it is against; the reason code is then illegal_content, unless the flags say otherwise',
      dependsOn: ['type'],
    }),
    'decided-by': Flags.string({
      options: Decider.options,
      description: decidedBy.description ?? '',
      dependsOn: ['type'],
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(CasesDecide);
    const params = { projectId: await this.projectId(), id: args.case };
    const imposes = flags.type !== undefined;
    const decision = flags.decision ?? (imposes ? 'sanction' : undefined);
    const reasonCode =
      flags['reason-code'] ?? (flags.law !== undefined ? 'illegal_content' : imposes ? 'violation' : undefined);
    if (decision === undefined || reasonCode === undefined)
      throw new UsageError('Write --type and --duration, or --decision and --reason-code.');
    const sanction = imposes ? { sanction: JSON.stringify(this.sanction(flags)) } : {};
    const body = requestFrom(DecideCaseRequest, { ...flags, decision, 'reason-code': reasonCode, ...sanction });
    await this.showCase(await this.client.call(caseRoutes.decide, { params, body }));
  }

  /** The sanction that the flags state; its end is said before it is imposed. */
  private sanction({
    type = '',
    duration,
    reason,
    template,
    law,
    'decided-by': decidedBy,
  }: Readonly<Record<string, unknown>> & { type?: string }) {
    const term = typeof duration === 'string' ? parseTerm(duration) : {};
    const seconds =
      term.endAt === undefined
        ? term.duration
        : Math.max(1, Math.ceil((Date.parse(term.endAt) - daemonNow().getTime()) / 1_000));
    const kind = banned(type, seconds !== undefined);
    if (this.common.json !== true) this.logToStderr(`${kind} ${termEnd(term, daemonNow())}.`);
    const ground = law === undefined ? undefined : { kind: 'law', reference: law };
    return { type: kind, ...stated({ duration: seconds, reason, template, ground, decidedBy }) };
  }
}
