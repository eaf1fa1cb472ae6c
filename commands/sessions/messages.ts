import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { follow } from '../../src/cli/events/follow.js';
import { nameArgument, nameFlag } from '../../src/cli/names/kinds.js';
import { wholeTranscript } from '../../src/cli/sessions/transcript.js';
import { daemonNow } from '../../src/cli/typed/daemon-clock.js';
import { parseTime } from '../../src/cli/typed/times.js';
import { annotationLabel } from '../../src/client/annotation-label.js';
import { confidenceLabel } from '../../src/client/confidence-label.js';
import { Message, sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { printData } from '../../src/terminal/terminal.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import {
  type TranscriptFormat,
  transcriptFile,
  transcriptFormats,
  transcriptLine,
} from '../../src/text/transcript-file.js';

export default class SessionsMessages extends ProjectCommand {
  static override summary = sessionRoutes.messages.summary;
  static override aliases = ['transcript'];
  static override examples = [
    '<%= config.bin %> <%= command.id %> demo --since yesterday --until today',
    '<%= config.bin %> <%= command.id %> SESSION --user bob',
    '<%= config.bin %> <%= command.id %> demo --follow',
    '<%= config.bin %> <%= command.id %> demo --format srt > demo.srt',
  ];
  static override args = { session: nameArgument('session') };

  static override flags = {
    user: nameFlag('person', 'Only messages of this person'),
    since: Flags.string({ description: 'Only from this time on: 2h, yesterday, "mon 18:00"' }),
    until: Flags.string({ description: 'Only before this time' }),
    format: Flags.option({
      options: transcriptFormats,
      description: 'Print a file instead of a table; word processors open html',
      exclusive: ['json'],
    })(),
    follow: Flags.boolean({
      description: 'Print one line per message, and those that come, until ctrl-c',
      exclusive: ['until'],
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SessionsMessages);
    const now = daemonNow();
    const time = (typed: string | undefined) => (typed === undefined ? undefined : parseTime(typed, now, 'past'));
    const [since = '', until = '~'] = [time(flags.since), time(flags.until)];
    const isWanted = ({ timestamp, externalUserId }: Message): boolean =>
      timestamp >= since && timestamp < until && (flags.user === undefined || externalUserId === flags.user);
    if (flags.follow) return this.follow(args.session, flags.format, isWanted);
    const wanted = (await this.transcript(args.session)).filter(isWanted);
    if (flags.format !== undefined) return printData(transcriptFile(wanted, flags.format));
    const rows = wanted.map(({ annotations = [], ...message }) => ({
      ...message,
      status: [message.status, ...(message.shadowMuted ? ['heard by nobody'] : [])].filter(Boolean).join(', ') || null,
      confidence: confidenceLabel(message) || null,
      annotations: annotations.map(annotationLabel),
    }));
    // Last, and only where it is known: the others keep their places, and the content its width.
    const language = rows.some((row) => 'language' in row && row.language !== null) ? ['language'] : [];
    const columns = ['timestamp', 'senderName', 'content', 'origin', 'status', 'confidence', 'annotations'];
    this.list(wanted, rows, [...columns, ...language]);
  }

  /** What there is, then what comes; each message once. */
  private async follow(
    id: string,
    format: TranscriptFormat | undefined,
    isWanted: (message: Message) => boolean,
  ): Promise<void> {
    if (format !== undefined && format !== 'text')
      throw new UsageError(`--follow prints text, or with --json an object per line. Leave --format ${format} out.`);
    const printed = new Set<string>();
    const show = async (message: Message): Promise<void> => {
      if (printed.has(message.id) || !isWanted(message)) return;
      printed.add(message.id);
      await printData(this.common.json === true ? `${JSON.stringify(message)}\n` : transcriptLine(message));
    };
    const options = { projectId: await this.projectId(), types: 'message.created' };
    const begun = async (): Promise<void> => {
      for (const message of await this.transcript(id)) await show(message);
    };
    for await (const { event } of follow(this.client, options, (line) => this.logToStderr(line), { begun })) {
      const { data: message } = Message.safeParse(event.payload.data);
      if (message?.sessionId === id) await show(message);
    }
  }

  private transcript = async (id: string): Promise<Message[]> =>
    wholeTranscript(this.client, { projectId: await this.projectId(), id });
}
