import * as Args from '@oclif/core/args';
import { ImposeCommand, type ImposedFlags } from '../src/cli/moderation/impose.js';
import { joinersOf, namesRoom, roomJoinersFlags } from '../src/cli/moderation/room-joiners.js';
import { confirm } from '../src/cli/terminal/confirm.js';
import { daemonNow } from '../src/cli/typed/daemon-clock.js';
import { parseTime } from '../src/cli/typed/times.js';
import { sanctionBatchRoutes } from '../src/contract/moderation/sanction-batches.js';
import { banTypes } from '../src/contract/moderation/sanction-kinds.js';
import type { SanctionType } from '../src/contract/moderation/sanction-record.js';
import { StateError } from '../src/terminal/state-error.js';
import { harmless } from '../src/text/printable.js';

/** Everybody who joined a room, in place of one person. */
interface FromRoom extends ImposedFlags {
  readonly 'from-room': string;
  readonly 'joined-since': string;
  readonly except?: string[] | undefined;
  readonly 'dry-run': boolean;
  readonly yes: boolean;
}

export default class Ban extends ImposeCommand {
  static override summary = "Ban somebody from the project's rooms, for a time or permanently.";
  static override description =
    'With --from-room, everybody who joined the room in a time is banned as one batch, which `sanctions undo` takes back; `rooms who` shows who that is.';
  static override examples = [
    '<%= config.bin %> ban u_42 7d --reason "threats"',
    '<%= config.bin %> ban --from-room demo --joined-since 10m 1d --dry-run',
    '<%= config.bin %> ban --from-room demo --joined-since 10m 1d --except u_42 --reason "raid"',
  ];
  static override flags = { ...ImposeCommand.flags, ...roomJoinersFlags };

  protected override readonly stacksWith = banTypes;

  protected kind(ends: boolean): SanctionType {
    return ends ? 'temp_ban' : 'perm_ban';
  }

  override async run(): Promise<void> {
    if (namesRoom(this.argv)) return this.runForRoom();
    const { args, flags } = await this.typed(Ban);
    await this.impose(args, flags);
  }

  private async runForRoom(): Promise<void> {
    const duration = Args.string({ description: 'As for one person' });
    const { flags, argv } = await this.input({
      args: { duration },
      flags: Ban.flags,
      baseFlags: Ban.baseFlags,
      strict: false,
    });
    const { 'from-room': room, 'joined-since': since } = flags;
    if (room === undefined || since === undefined) throw new Error('The parser requires both flags.');
    await this.banJoiners(argv.join(' '), { ...flags, 'from-room': room, 'joined-since': since });
  }

  private async banJoiners(duration: string, flags: FromRoom): Promise<void> {
    const { except = [], 'dry-run': dryRun, yes } = flags;
    const projectId = await this.projectId();
    const roomId = await this.idOf('joinedRoom', flags['from-room']);
    const ends = this.ends(duration === '' ? undefined : duration, flags.until);
    const since = parseTime(flags['joined-since'], daemonNow(), 'past');
    const spared = new Set(await Promise.all(except.map((one) => this.idOf('person', one))));
    const joiners = await joinersOf(this.client, { projectId, roomId }, since, spared);
    if (joiners.length === 0)
      throw new StateError(
        'nobody_concerned',
        `Nobody joined the room ${harmless(roomId)} since ${since}. \`earshot rooms who\` shows who was there.`,
        { roomId },
      );
    const terms = this.terms(ends, flags);
    const items = joiners.map(({ externalUserId }) => ({ ...terms, externalUserId }));
    const apply = (isDry: boolean) =>
      this.client.call(sanctionBatchRoutes.apply, { params: { projectId }, body: { items, dryRun: isDry } });
    const foreseen = await apply(true);
    const rows = joiners.map(({ displayName, externalUserId, joinedAt: joined, here }, index) => ({
      ...{ name: displayName, externalUserId, joined, here, type: terms.type },
      inForce: foreseen.lines[index]?.inForce,
    }));
    const columns = ['name', 'joined', 'here', 'type', 'inForce', 'externalUserId'];
    const people = joiners.length === 1 ? 'one person' : `${joiners.length} people`;
    if (dryRun) {
      this.list(foreseen, rows, columns);
      return this.logToStderr(`This would ban ${people}; nothing was changed.`);
    }
    if (this.common.json !== true) this.list(foreseen, rows, columns);
    const back = '`earshot sanctions undo` takes it back';
    await confirm(roomId, `This bans ${people} who joined ${harmless(roomId)} since ${since}.`, { yes }, back);
    const applied = await apply(false);
    if (this.common.json === true) this.printJson(applied);
    this.logToStderr(`Banned ${people}. To undo: earshot sanctions undo ${applied.batchId}`);
  }
}
