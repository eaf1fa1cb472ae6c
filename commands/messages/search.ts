import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameFlag } from '../../src/cli/names/kinds.js';
import { shownHit } from '../../src/cli/sessions/message-hits.js';
import { stated } from '../../src/cli/typed/fields.js';
import { parseTime } from '../../src/cli/typed/times.js';
import { messageRoutes } from '../../src/contract/sessions/message-search.js';

export default class MessagesSearch extends ProjectCommand {
  static override summary = messageRoutes.search.summary;
  static override aliases = ['search'];
  static override description =
    'All words have to occur, in any case and without accents; "words in this order" in quotes of their own; the beginning of a word with a trailing *. With --json each hit says where its words stand.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> treasure --room demo --user bob --since 1d',
    `<%= config.bin %> <%= command.id %> '"behind the tree" camp*' --context`,
  ];
  static override strict = false;
  static override args = { words: Args.string({ required: true, description: 'What was said' }) };
  static override flags = {
    room: Flags.string({ description: 'In this room' }),
    session: nameFlag('session', 'In this session, by its room, title or id'),
    user: nameFlag('person', 'By this person: display name, external id or participant id'),
    annotation: Flags.string({ description: 'With an annotation of this type or plugin' }),
    since: Flags.string({ description: 'Said at this time or later: 2h, yesterday, "mon 18:00"' }),
    until: Flags.string({ description: 'Said before this time; left out: now' }),
    context: Flags.boolean({ description: 'Show the minute around each hit' }),
    limit: Flags.integer({ description: 'Messages, up to 100', min: 1, max: 100 }),
    after: Flags.string({ description: 'Continue after the place that the previous search printed' }),
  };

  async run(): Promise<void> {
    const { flags, argv } = await this.input(MessagesSearch);
    const projectId = await this.projectId();
    const now = new Date();
    const time = (typed: string | undefined) => (typed === undefined ? undefined : parseTime(typed, now, 'past'));
    const { room: roomId, session: sessionId, annotation, context, limit, after } = flags;
    const externalUserId = flags.user;
    const times = { since: time(flags.since), until: time(flags.until) };
    const query = {
      q: argv.join(' '),
      ...stated({ roomId, sessionId, externalUserId, annotation, context, limit, after, ...times }),
    };
    const answer = await this.client.call(messageRoutes.search, { params: { projectId }, query });
    if (this.common.json === true) {
      this.printJson(answer);
      return;
    }
    if (answer.hits.length === 0) this.logToStderr('Nothing was found.');
    for (const [index, hit] of answer.hits.entries()) {
      if (index > 0 && hit.context !== undefined) this.log();
      for (const line of shownHit(hit, this.screen)) this.log(line);
    }
    if (answer.next !== null) this.logToStderr(`There is more: --after ${answer.next}`);
  }
}
