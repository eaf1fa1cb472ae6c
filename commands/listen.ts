import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../src/cli/command/command.js';
import { refuseUnknownFields } from '../src/cli/events/event-fields.js';
import { eventLine } from '../src/cli/events/event-line.js';
import { refuseUnknownTypes, typesIn } from '../src/cli/events/event-types.js';
import { type Expectation, parseExpectation } from '../src/cli/events/expectation.js';
import { follow } from '../src/cli/events/follow.js';
import {
  answerLine,
  type ForwardTarget,
  forward,
  givenSecret,
  isMeant,
  parseTarget,
} from '../src/cli/events/forward.js';
import { junit } from '../src/cli/events/junit.js';
import { refuseUnknownResources, streamFlags } from '../src/cli/events/stream-flags.js';
import { arrivals, casesOf, verdict } from '../src/cli/events/verdict.js';
import { type WitnessReport, witness } from '../src/cli/events/witness.js';
import { writeOut } from '../src/cli/files/write-out.js';
import { KnownNames } from '../src/cli/names/known-names.js';
import { requestFrom } from '../src/cli/typed/fields.js';
import { repeatedWhole } from '../src/cli/typed/repeated.js';
import { parseWait } from '../src/cli/typed/times.js';
import type { EventStreamOptions } from '../src/client/stream-notice.js';
import { eventRoutes } from '../src/contract/streams/event-streams.js';
import { PayloadFormat, payloadFormats } from '../src/contract/webhooks/webhooks.js';
import { newWebhookSecret } from '../src/signing/signing.js';
import { renderPayload } from '../src/signing/webhook-payload.js';
import { UsageError } from '../src/terminal/usage-error.js';

export default class Listen extends ProjectCommand {
  static override summary = 'Forward events to your program, or check which events a command causes.';
  static override description =
    `With --forward-to, each event is sent to the address as a webhook would be: the same bytes, signed in the same way with the secret in EARSHOT_WEBHOOK_SECRET (default: a new one, printed on stderr).

With --expect, the stream is opened, the command after -- is run, and the events that arrive are checked. It ends as soon as the result is certain: when the command has failed, or when it has ended and all (or too many) of the events have arrived. With an exact --count, it waits until --within is over. The exit code is that of the command if it failed, 1 if an expectation is not met, else 0.`;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --forward-to http://127.0.0.1:3000/hook',
    '<%= config.bin %> <%= command.id %> --forward-to "sanction.*=http://127.0.0.1:3000/moderation" --forward-to http://127.0.0.1:3000/all',
    `<%= config.bin %> <%= command.id %> --expect 'sanction.created where type=mute' --within 5s --count 1 --junit report.xml -- npm run my-test`,
  ];
  static override strict = false;
  static override flags = {
    ...streamFlags,
    'forward-to': Flags.string({
      ...repeatedWhole,
      description: 'Address, or TYPES=ADDRESS; may be given more than once',
      exclusive: ['expect'],
    }),
    format: Flags.string({
      options: payloadFormats,
      default: 'event',
      description: 'Payload format, as for a webhook',
    }),
    expect: Flags.string({
      ...repeatedWhole,
      description: `TYPE, or 'TYPE where FIELD=VALUE and …'; may be given more than once`,
    }),
    within: Flags.string({
      default: '5s',
      description: 'How long to wait for the expected events after the command has ended',
    }),
    count: Flags.integer({
      min: 0,
      description: 'Expect exactly this many events, checked when --within is over; default: at least one',
    }),
    junit: Flags.string({ description: 'Write the result to this file, as JUnit XML', dependsOn: ['expect'] }),
    ingested: Flags.boolean({
      description: 'Accept event types and fields of platform services, which the daemon does not know',
    }),
  };

  async run(): Promise<void> {
    const { flags, argv: command } = await this.input(Listen);
    refuseUnknownResources(flags.resources);
    const projectId = await this.projectId();
    const options = { projectId, ...requestFrom(eventRoutes.streamProject.query.omit({ partials: true }), flags) };
    const expected = (flags.expect ?? []).map(parseExpectation);
    const targets = (flags['forward-to'] ?? []).map(parseTarget);
    const named = [...expected.map(({ pattern }) => pattern), ...targets.flatMap(({ types }) => types)];
    refuseUnknownTypes([...named, ...typesIn(flags.types)], flags);
    refuseUnknownFields(expected, flags);
    if (expected.length > 0) return this.judge(options, expected, flags, command);
    if (command.length > 0)
      throw new UsageError('A command after -- needs --expect. To listen to a room: `earshot rooms listen ROOM`.');
    await this.forward(options, targets, PayloadFormat.parse(flags.format));
  }

  private async forward(
    options: EventStreamOptions & { readonly projectId: string },
    targets: readonly ForwardTarget[],
    format: PayloadFormat,
  ): Promise<void> {
    const given = givenSecret();
    const secret = given ?? newWebhookSecret();
    if (given === undefined && targets.length > 0) this.logToStderr(`Signed with the secret ${secret}`);
    const names = new KnownNames(this.client, options.projectId);
    for await (const { event, text } of follow(this.client, options, (line) => this.logToStderr(line))) {
      const body = renderPayload(format, text, { origin: this.baseUrl });
      const meant = targets.filter((target) => isMeant(target, event.type));
      const answers = await Promise.all(meant.map(({ url }) => forward(url, secret, event.id, body)));
      if (this.isPlain) {
        this.log(JSON.stringify({ event, answers }));
        continue;
      }
      await names.learn(event);
      this.log([eventLine(event, this.screen, names), ...answers.map(answerLine)].join('\n'));
    }
  }

  private async judge(
    options: EventStreamOptions,
    expected: readonly Expectation[],
    { count, within, junit: file }: Pick<Interfaces.InferredFlags<typeof Listen.flags>, 'count' | 'within' | 'junit'>,
    command: readonly string[],
  ): Promise<void> {
    const wanted = expected.map((expectation) => ({ expectation, count: count ?? null }));
    const withinMs = parseWait(within) * 1_000;
    process.stdout.removeAllListeners('error').on('error', () => {}); // a reader that has left changes no result
    const report = await witness(this.client, options, {
      ...{ wanted, withinMs, command, output: this.common.json === true ? 2 : 1 },
      onEvent: (event) => this.common.json !== true && this.logToStderr(eventLine(event, this.screen)),
    });
    this.printReport(report);
    const isProven = !report.gap && !(report.isCut && report.findings.some((one) => one.count !== null));
    const holds = isProven && report.findings.every(({ outcome }) => outcome === 'met');
    process.exitCode = report.exitCode !== 0 ? report.exitCode : holds ? 0 : 1;
    if (file === undefined) return;
    try {
      await writeOut(file, junit('earshot listen', casesOf(report, command)));
    } catch (error) {
      if (process.exitCode === 0 || !(error instanceof UsageError)) throw error;
      this.logToStderr(error.message); // the result counts more
    }
  }

  private printReport(report: WitnessReport): void {
    if (this.common.json === true) {
      const findings = report.findings.map(({ expectation, count, outcome, seen }) => ({
        ...{ expectation: expectation.text, count, outcome },
        events: seen.map(({ event }) => event),
      }));
      const arrived = Object.fromEntries(report.counts);
      const { exitCode, gap, isCut, seconds } = report;
      this.log(JSON.stringify({ findings, arrived, exitCode, gap, isCut, seconds }, null, 2));
      return;
    }
    for (const finding of report.findings) this.log(`${finding.outcome === 'met' ? '✓' : '✗'} ${verdict(finding)}`);
    if (report.findings.some(({ outcome }) => outcome !== 'met')) this.log(arrivals(report));
    if (report.gap) this.log('✗ There is a gap in the stream, so the events are not known for certain.');
    if (report.isCut && report.findings.some(({ count }) => count !== null))
      this.log('✗ The stream was lost when the time was over, so an exact number is not proven.');
    if (report.exitCode !== 0) this.log(`✗ The command ended with ${report.exitCode}.`);
  }

  private get isPlain(): boolean {
    return this.common.json === true || !this.screen.isTerminal;
  }
}
