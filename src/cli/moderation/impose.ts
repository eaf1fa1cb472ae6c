/** `ban`, `mute`, `warn`: imposes a sanction and says what else holds against the person, and what came before. */
import type { Interfaces } from '@oclif/core';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type { Sanction, SanctionType } from '../../contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../contract/moderation/sanctions.js';
import { sessionRoutes } from '../../contract/sessions/sessions.js';
import { canAsk, choose, explain } from '../../terminal/questions.js';
import { StateError } from '../../terminal/state-error.js';
import { UsageError } from '../../terminal/usage-error.js';
import { harmless } from '../../text/printable.js';
import { type CommonFlags, ProjectCommand } from '../command/command.js';
import { nameArgument, nameFlag } from '../names/kinds.js';
import { moderatorNames } from '../names/moderators.js';
import { daemonNow } from '../typed/daemon-clock.js';
import { stated } from '../typed/fields.js';
import { newPersonFlag } from '../typed/new-name.js';
import { parseTime } from '../typed/times.js';
import { untilWhen } from './sanction-end.js';
import { type RoomWords, roomWords } from './sanction-rooms.js';
import { imposedView } from './sanction-rows.js';
import { wordsOnBefore } from './sanctions-before.js';
import { parseTerm, type Term, termEnd } from './term.js';

type ImposeArgs = Interfaces.OutputArgs<typeof ImposeCommand.args>;
export type ImposedFlags = Interfaces.OutputFlags<typeof ImposeCommand.flags>;

type Stacking = 'replace' | 'also' | 'leave';
const answers: readonly { id: Stacking; says: string }[] = [
  { id: 'replace', says: 'Replace what is in force with the new one' },
  { id: 'also', says: 'Impose it in addition' },
  { id: 'leave', says: 'Leave everything as it is' },
];

const roomFlag: Interfaces.OptionFlag<string | undefined> = nameFlag(
  'session',
  'Only in this room, until its session ends',
);

export abstract class ImposeCommand extends ProjectCommand {
  static override args = {
    user: nameArgument('person'),
    duration: Args.string({ description: '10m, 2 hours, 7d, until "mon 18:00", or forever; default: until revoked' }),
  };
  static override flags = {
    reason: Flags.string({ description: 'Reason, shown to the sanctioned person' }),
    template: Flags.string({ description: 'Use the reason of this template; `sanctions templates list` shows them' }),
    note: Flags.string({ description: 'Note for moderators; the person never sees it' }),
    until: Flags.string({ description: 'End time instead of a duration: "mon 18:00", tomorrow, 2026-01-31' }),
    room: roomFlag,
    new: newPersonFlag,
    replace: Flags.boolean({ description: 'End sanctions of the same kind that are in force', exclusive: ['also'] }),
    also: Flags.boolean({ description: 'Keep sanctions of the same kind that are in force, and add this one' }),
  };

  /** The kind of sanction, depending on whether it ends. */
  protected abstract kind(ends: boolean): SanctionType;
  /** Types of sanctions in force that the new one would stack up with. */
  protected readonly stacksWith: readonly SanctionType[] = [];
  private roomOf: RoomWords = () => '';

  async run(): Promise<void> {
    const { args, flags } = await this.typed(ImposeCommand);
    await this.impose(args, flags);
  }

  /** A duration of several words needs no quotes: all that stands behind the person is one. */
  protected async typed<Flags extends ImposedFlags>(of: {
    readonly args: typeof ImposeCommand.args;
    readonly flags: Interfaces.FlagInput<Flags>;
  }): Promise<{ args: ImposeArgs; flags: Flags & CommonFlags }> {
    const { args, flags, argv } = await this.input({
      args: of.args,
      flags: of.flags,
      baseFlags: ImposeCommand.baseFlags,
      strict: false,
    });
    const [, ...words] = argv;
    return { flags, args: { ...args, duration: words.length === 0 ? undefined : words.join(' ') } };
  }

  /** Imposes the sanction, with the person and the session of --room given by id. */
  protected async impose(args: ImposeArgs, flags: ImposedFlags): Promise<void> {
    const projectId = await this.projectId();
    const externalUserId = args.user;
    const ends = this.ends(args.duration, flags.until);
    const room = flags.room === undefined ? undefined : await this.roomIfActive(projectId, flags.room);
    const before = await this.client.call(sanctionRoutes.ofUser, { params: { projectId, externalUserId } });
    // Looked up before the sanction is imposed, because nothing may fail afterwards.
    this.roomOf = await roomWords(
      this.client,
      projectId,
      before.filter(({ isActive }) => isActive),
    );
    const alike = before.filter(
      (one) => one.isActive && one.sessionId === (flags.room ?? null) && this.stacksWith.includes(one.type),
    );
    const stacking = alike.length === 0 ? 'also' : await this.stacking(alike, flags);
    if (stacking === 'leave') {
      this.logToStderr('Nothing was changed.');
      return;
    }
    const replaces = stacking === 'replace' ? { replaces: alike.map(({ id }) => id) } : {};
    const body = { ...this.terms(ends, flags), externalUserId, ...replaces };
    if (this.common.json !== true && Object.keys(ends).length > 0)
      this.logToStderr(`${body.type} ${termEnd(ends, daemonNow())}.`);
    const imposed = await this.client.call(sanctionRoutes.create, { params: { projectId }, body });
    this.show(this.common.json === true ? imposed : imposedView(imposed, room));
    try {
      await this.tellOthers(projectId, before, stacking === 'replace' ? alike : []);
    } finally {
      this.logToStderr(`To undo: earshot sanctions undo ${imposed.id}`);
    }
  }

  /** The room of the session: a sanction for one that has ended has no effect. Throws StateError. */
  private async roomIfActive(projectId: string, id: string): Promise<string> {
    const { status, externalRoomId } = await this.client.call(sessionRoutes.get, { params: { projectId, id } });
    if (status === 'ended')
      throw new StateError('session_ended', 'No session is active in that room; omit --room, or start one.', {
        sessionId: id,
      });
    return externalRoomId;
  }

  /** The sanction without the person. */
  protected terms(ends: Term, { reason, template, note, room }: ImposedFlags) {
    const type = this.kind(Object.keys(ends).length > 0);
    return { type, ...ends, ...stated({ reason, template, note, sessionId: room }) };
  }

  protected ends(duration: string | undefined, until: string | undefined): Term {
    if (duration !== undefined && until !== undefined) throw new UsageError('Write a duration or --until, not both.');
    if (until !== undefined) return { endAt: parseTime(until, daemonNow(), 'future') };
    return duration === undefined ? {} : parseTerm(duration);
  }

  /** Asks what to do with what is in force; a script has to say it. */
  private async stacking(
    alike: readonly Sanction[],
    { replace, also }: { readonly replace: boolean; readonly also: boolean },
  ): Promise<Stacking> {
    if (replace || also) return replace ? 'replace' : 'also';
    const inForce = alike.map((one) => this.inForce(one)).join('; ');
    if (!canAsk())
      throw new StateError(
        'sanction_in_force',
        `In force already: ${inForce}. Add --replace to end that, or --also to impose this in addition.`,
        { sanctionId: alike.map(({ id }) => id) },
      );
    explain(`In force already: ${inForce}.`);
    const chosen = await choose('What now?', answers);
    return answers.find(({ id }) => id === chosen)?.id ?? 'leave';
  }

  private inForce(sanction: Sanction): string {
    const { type, reason } = sanction;
    const end = untilWhen(sanction, daemonNow());
    const where = sanction.sessionId === null ? '' : ` ${this.roomOf(sanction)}`;
    return `${type}${harmless(where)} ${end}${reason === null || reason === '' ? '' : `, ${harmless(JSON.stringify(reason))}`}`;
  }

  /** Prints other sanctions in force, and the previous one, to stderr. */
  private async tellOthers(
    projectId: string,
    before: readonly Sanction[],
    replaced: readonly Sanction[],
  ): Promise<void> {
    if (before.length === 0) {
      this.logToStderr('No earlier sanctions.');
      return;
    }
    for (const one of replaced) this.logToStderr(`Replaced: ${this.inForce(one)}`);
    for (const one of before)
      if (one.isActive && !replaced.includes(one)) this.logToStderr(`Also in force: ${this.inForce(one)}`);
    // The sanction is in force: a name is worth no failure.
    const nameOf = await moderatorNames(this.client, projectId).catch(() => (id: string | null) => id);
    const now = before.map((one): Sanction => (replaced.includes(one) ? { ...one, status: 'revoked' } : one));
    this.logToStderr(`Before: ${wordsOnBefore(now, nameOf, daemonNow())}.`);
  }
}
