/** Shared parts of the commands that act on a case. */
import * as Flags from '@oclif/core/flags';
import type { Case } from '../../../contract/reports/cases.js';
import { ProjectCommand } from '../../command/command.js';
import { nameArgument } from '../../names/kinds.js';
import { namedRecord } from '../../names/moderators.js';

export const caseArgument = (description?: string) => nameArgument('case', description);
export const noteFlag = Flags.string({ description: 'Note for moderators; the person never sees it' });

export abstract class CaseCommand extends ProjectCommand {
  protected async showCase(one: Case): Promise<void> {
    if (this.common.json === true) return this.show(one);
    const shown = await namedRecord(this.client, one.projectId, { ...one });
    this.show(shown, [
      'externalUserId',
      'roomId',
      'status',
      'decision',
      'reasonCode',
      'why',
      'claimedBy',
      'decidedBy',
      'heldAt',
      'id',
    ]);
  }
}
