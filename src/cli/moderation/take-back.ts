/** The commands that take back what was imposed: `unmute USER`. */
import * as Flags from '@oclif/core/flags';
import type { SanctionType } from '../../contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../contract/moderation/sanctions.js';
import { StateError } from '../../terminal/state-error.js';
import { harmless } from '../../text/printable.js';
import { ProjectCommand } from '../command/command.js';
import { nameArgument } from '../names/kinds.js';
import { stated } from '../typed/fields.js';
import { whoOf } from './sanction-rows.js';

export abstract class TakeBack extends ProjectCommand {
  // Bans outlive an erasure: a person who is not known any more is taken as typed.
  static override args = { user: nameArgument('player') };
  static override flags = { reason: Flags.string({ description: 'Why it is revoked' }) };

  protected abstract readonly kinds: readonly SanctionType[];

  async run(): Promise<void> {
    const { args, flags } = await this.input(TakeBack);
    const projectId = await this.projectId();
    const externalUserId = args.user;
    const active = await this.client.call(sanctionRoutes.activeOfUser, { params: { projectId, externalUserId } });
    const meant = active.filter(({ type }) => this.kinds.includes(type));
    if (meant.length === 0) {
      if (await this.tookBackOtherwise(projectId, externalUserId)) return;
      await this.idOf('person', externalUserId);
      const nothing = `Nothing of the kind is in force against ${harmless(externalUserId)}.`;
      throw new StateError('sanction_not_active', nothing, { externalUserId });
    }
    const body = stated({ reason: flags.reason });
    const revoked = [];
    for (const { id } of meant)
      revoked.push(await this.client.call(sanctionRoutes.revoke, { params: { projectId, id }, body }));
    const rows = revoked.map((one) => ({ ...one, who: whoOf(one) }));
    this.list(revoked, rows, ['who', 'type', 'status', 'id']);
  }

  /** Lifts a sanction of this kind that no list shows; returns whether there was one. */
  protected async tookBackOtherwise(_projectId: string, _externalUserId: string): Promise<boolean> {
    return false;
  }
}
