import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameFlag } from '../../src/cli/names/kinds.js';
import { shownHit } from '../../src/cli/sessions/message-hits.js';
import { daemonNow } from '../../src/cli/typed/daemon-clock.js';
import { stated } from '../../src/cli/typed/fields.js';
import { parseTime } from '../../src/cli/typed/times.js';
import { messageRoutes } from '../../src/contract/sessions/message-search.js';

export default class MessagesSearch extends ProjectCommand {
  static override summary = messageRoutes.search.summary;
  static override aliases = ['search'];
  static override description =
    'All words have to occur; case and accents are ignored. Put a phrase in double quotes; a trailing * matches the beginning of a word. With --json, each hit says where its words are.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> treasure --room demo --user bob --since 1d',
    `<%= config.bin %> <%= command.id %> '"behind the tree" camp*' --context`,
  ];
  static override strict = false;
  static override args = { words: Args.string({ required: true, description: 'What was said' }) };
  static override flags = {
    room: Flags.string({ description: 'Only messages in this room' }),
    session: nameFlag('session', 'Only messages of this session, by room, title or id'),
    user: nameFlag('person', 'Only messages of this person: display name, external id or participant id'),
    annotation: Flags.string({ description: 'Only messages with an annotation of this type or plugin' }),
    since: Flags.string({ description: 'Only messages from this time on: 2h, yesterday, "mon 18:00"' }),
    until: Flags.string({ description: 'Only messages before this time; default: now' }),
    context: Flags.boolean({ description: 'Show the minute around each hit' }),
    limit: Flags.integer({ description: 'Messages, up to 100', min: 1, max: 100 }),
    after: Flags.string({ description: 'Continue after the cursor that the previous search printed' }),
  };

  async run(): Promise<void> {
    const { flags, argv } = await this.input(MessagesSearch);
    const projectId = await this.projectId();
    const now = daemonNow();
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
    if (answer.hits.length === 0) this.logToStderr('No messages were found.');
    for (const [index, hit] of answer.hits.entries()) {
      if (index > 0 && hit.context !== undefined) this.log();
      for (const line of shownHit(hit, this.screen)) this.log(line);
    }
    if (answer.next !== null) this.logToStderr(`There is more: --after ${answer.next}`);
  }
}
