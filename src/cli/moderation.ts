/** The commands that a moderator types all day: `mute USER 10m`, `unmute USER`. */
import { Args, Flags } from '@oclif/core';
import { type SanctionType, sanctionRoutes } from '../contract/moderation/sanctions.js';
import { ProjectCommand } from './command.js';
import { stated } from './fields.js';
import { externalIdOf } from './people.js';
import { NotUnderstood, parseDuration } from './times.js';

export const user = Args.string({
  required: true,
  description: 'External id, participant id, or a display name that only one person has',
});
const columns = ['id', 'type', 'externalUserId', 'endAt', 'reason'];

export abstract class Impose extends ProjectCommand {
  static override args = {
    user,
    duration: Args.string({ description: '10m, 2h, 7d; left out: until it is taken back' }),
  };
  static override flags = {
    reason: Flags.string({ description: 'Shown to the person it is against' }),
    template: Flags.string({ description: 'Takes the reason from this template: `sanctions templates list`' }),
    note: Flags.string({ description: 'For moderators only' }),
  };

  /** The kind of sanction, depending on whether it ends. */
  protected abstract kind(ends: boolean): SanctionType;

  async run(): Promise<void> {
    const { args, flags } = await this.input(Impose);
    const projectId = await this.projectId();
    const duration = args.duration === undefined ? undefined : parseDuration(args.duration);
    if (duration === 0) throw new NotUnderstood('Write a duration above 0, such as 10m, or none at all.');
    const hint = (line: string) => this.logToStderr(line);
    const externalUserId = await externalIdOf(this.client, projectId, args.user, hint);
    const body = {
      type: this.kind(duration !== undefined),
      externalUserId,
      ...(duration === undefined ? {} : { duration }),
      ...stated({ reason: flags.reason }),
      ...stated({ template: flags.template }),
      ...stated({ note: flags.note }),
    };
    this.show(await this.client.call(sanctionRoutes.create, { params: { projectId }, body }), columns);
  }
}

export abstract class TakeBack extends ProjectCommand {
  static override args = { user };
  static override flags = { reason: Flags.string({ description: 'Why it is taken back' }) };

  protected abstract readonly kinds: readonly SanctionType[];

  async run(): Promise<void> {
    const { args, flags } = await this.input(Impose);
    const projectId = await this.projectId();
    const externalUserId = await externalIdOf(this.client, projectId, args.user);
    const active = await this.client.call(sanctionRoutes.activeOfUser, { params: { projectId, externalUserId } });
    const meant = active.filter(({ type }) => this.kinds.includes(type));
    if (meant.length === 0) {
      if (await this.tookBackOtherwise(projectId, externalUserId)) return;
      throw new NotUnderstood(`Nothing of the kind is in force against ${externalUserId}.`);
    }
    const body = stated({ reason: flags.reason });
    const revoked = [];
    for (const { id } of meant)
      revoked.push(await this.client.call(sanctionRoutes.revoke, { params: { projectId, id }, body }));
    this.list(revoked, revoked, ['id', 'type', 'externalUserId', 'status']);
  }

  /** Lifts a sanction of this kind that no list shows; returns whether there was one. */
  protected async tookBackOtherwise(_projectId: string, _externalUserId: string): Promise<boolean> {
    return false;
  }
}
