import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameFlag } from '../../src/cli/names/kinds.js';
import { type Concerned, concernedBy } from '../../src/cli/people/concerned.js';
import { confirm } from '../../src/cli/terminal/confirm.js';
import { daemonNow } from '../../src/cli/typed/daemon-clock.js';
import { repeated } from '../../src/cli/typed/repeated.js';
import { parseTime } from '../../src/cli/typed/times.js';
import { type NotifiedPeople, noticePeopleMax, personNoticeRoutes } from '../../src/contract/people/person-notices.js';
import { StateError } from '../../src/terminal/state-error.js';
import { UsageError } from '../../src/terminal/usage-error.js';

export default class ParticipantsNotify extends ProjectCommand {
  static override summary = personNoticeRoutes.notify.summary;
  static override description =
    'Say whom it concerns: people, those whom a batch or a rule sanctioned, or those who were in a room. Several flags add up, and each person gets it once.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Your ban was a mistake and is lifted." --batch raid-friday',
    '<%= config.bin %> <%= command.id %> "A rule muted you by mistake." --rule Insults --since 2h --dry-run',
    '<%= config.bin %> <%= command.id %> "Sorry for last night." --room demo --since "yesterday 21:00" --yes',
    '<%= config.bin %> <%= command.id %> "Please read your inbox." --user bob --user ann',
  ];
  static override args = { text: Args.string({ required: true, description: 'At most 1000 characters' }) };
  static override flags = {
    user: Flags.string({ description: 'Somebody, by name or id', ...repeated }),
    batch: Flags.string({ description: 'Those whom this batch sanctioned' }),
    rule: nameFlag('rule', 'Those whom this rule sanctioned since --since'),
    room: nameFlag('joinedRoom', 'Those who were in this room since --since'),
    since: Flags.string({ description: 'Start of the time for --rule and --room: 10m, yesterday, "mon 18:00"' }),
    'dry-run': Flags.boolean({ description: 'Show who would get it, and send nothing' }),
    yes: Flags.boolean({ description: 'Do not ask for confirmation' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ParticipantsNotify);
    const projectId = await this.projectId();
    const users = await Promise.all((flags.user ?? []).map((one) => this.idOf('person', one)));
    const found = await concernedBy(this.client, projectId, { ...this.concerned(flags), users });
    if (found.length === 0)
      throw new StateError('nobody_concerned', 'That concerns nobody: nobody was sanctioned or there in that time.');
    const people = found.length === 1 ? 'one person' : `${found.length} people`;
    if (flags['dry-run']) {
      const rows = found.map((externalUserId) => ({ externalUserId }));
      this.list(found, rows, ['externalUserId']);
      return this.logToStderr(`This would go to ${people}; nothing was sent.`);
    }
    if (found.length > 1) await confirm('send', `This goes to ${people}.`, flags, 'It cannot be called back');
    const sent: NotifiedPeople[] = [];
    for (let from = 0; from < found.length; from += noticePeopleMax) {
      const body = { text: args.text, externalUserIds: found.slice(from, from + noticePeopleMax) };
      sent.push(await this.client.call(personNoticeRoutes.notify, { params: { projectId }, body }));
    }
    if (this.common.json === true) return this.printJson(sent.length === 1 ? sent[0] : sent);
    const unknown = sent.flatMap((one) => one.unknown);
    const note = unknown.length === 0 ? '' : ` ${unknown.length} of them were never here.`;
    this.logToStderr(`Sent to ${people}.${note}`);
  }

  private concerned(flags: {
    readonly user?: string[] | undefined;
    readonly batch?: string | undefined;
    readonly rule?: string | undefined;
    readonly room?: string | undefined;
    readonly since?: string | undefined;
  }): Omit<Concerned, 'users'> {
    const { batch, rule, room } = flags;
    if (flags.user === undefined && batch === undefined && rule === undefined && room === undefined)
      throw new UsageError('Say whom it concerns: --user, --batch, --rule or --room.');
    const needsTime = rule !== undefined || room !== undefined;
    if (needsTime !== (flags.since !== undefined))
      throw new UsageError(needsTime ? 'Say since when: --since 2h.' : '--since goes with --rule or --room.');
    const since = flags.since === undefined ? '' : parseTime(flags.since, daemonNow(), 'past');
    return { batch, rule, room, since };
  }
}
