import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument, nameFlag } from '../../src/cli/names/kinds.js';
import { parseTime } from '../../src/cli/typed/times.js';
import { annotationLabel } from '../../src/client/annotation-label.js';
import { confidenceLabel } from '../../src/client/confidence-label.js';
import { type Message, sessionRoutes, transcriptPageMax } from '../../src/contract/sessions/sessions.js';

export default class SessionsMessages extends ProjectCommand {
  static override summary = sessionRoutes.messages.summary;
  static override aliases = ['transcript'];
  static override examples = [
    '<%= config.bin %> <%= command.id %> demo --since yesterday --until today',
    '<%= config.bin %> <%= command.id %> SESSION --user bob',
  ];
  static override args = { session: nameArgument('session') };

  static override flags = {
    user: nameFlag('person', 'Only messages of this person'),
    since: Flags.string({ description: 'Only from this time on: 2h, yesterday, "mon 18:00"' }),
    until: Flags.string({ description: 'Only before this time' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SessionsMessages);
    const now = new Date();
    const time = (typed: string | undefined) => (typed === undefined ? undefined : parseTime(typed, now, 'past'));
    const [since = '', until = '~'] = [time(flags.since), time(flags.until)];
    const wanted = (await this.transcript(args.session)).filter(
      ({ timestamp, externalUserId }) =>
        timestamp >= since && timestamp < until && (flags.user === undefined || externalUserId === flags.user),
    );
    const rows = wanted.map(({ annotations = [], ...message }) => ({
      ...message,
      confidence: confidenceLabel(message),
      annotations: annotations.map(annotationLabel),
    }));
    this.list(wanted, rows, ['timestamp', 'senderName', 'content', 'origin', 'status', 'confidence', 'annotations']);
  }

  /** All pages. */
  private async transcript(id: string): Promise<Message[]> {
    const params = { projectId: await this.projectId(), id };
    const all: Message[] = [];
    for (let page: Message[] | null = null; page === null || page.length > 0; ) {
      const query = { limit: transcriptPageMax, after: all.at(-1)?.id };
      page = await this.client.call(sessionRoutes.messages, { params, query });
      for (const message of page) all.push(message);
    }
    return all;
  }
}
