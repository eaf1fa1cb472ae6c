/** Shared parts of `gameplay apply` and `gameplay copy`: applying a season, and printing the changes. */
import type { z } from 'zod';
import type { SeasonFile } from '../../contract/gameplay/season-file.js';
import {
  ApplySeasonRequest,
  lossesOf,
  prunesEverything,
  type SeasonPlan,
  seasonRoutes,
} from '../../contract/gameplay/season-routes.js';
import { UsageError } from '../../terminal/usage-error.js';
import { ProjectCommand } from '../command/command.js';
import { confirm, yesFlag } from '../terminal/confirm.js';
import { flagsFor, requestFrom } from '../typed/fields.js';
import { planNotes, planView } from './season-view.js';
import { deletedForADay, undoableForADay } from './undoable.js';

export const seasonFlags = {
  ...flagsFor(ApplySeasonRequest, ['season']),
  ...yesFlag,
};

interface Applying extends Readonly<Record<string, unknown>> {
  readonly yes: boolean;
}

/** Removals that are named in the question. */
const maxNamed = 10;

export abstract class SeasonCommand extends ProjectCommand {
  /** Exit code 5 where a dry run shows that applying would be refused. Throws UsageError where it is not confirmed. */
  protected async applySeason(
    projectId: string,
    season: z.input<typeof SeasonFile>,
    { yes, ...flags }: Applying,
  ): Promise<void> {
    if (flags['allow-empty'] !== true && prunesEverything({ season, prune: flags.prune === true }))
      throw new UsageError(
        'There is no object in the source: with --prune, everything in the project would be deleted. If that is what you want, add --allow-empty.',
      );
    const body = requestFrom(ApplySeasonRequest, flags, { season });
    if (body.prune === true && body.dryRun !== true && !yes) await this.confirmRemovals(projectId, body);
    const plan = await this.client.call(seasonRoutes.apply, { params: { projectId }, body });
    this.printPlan(plan, body.force === true);
    if (!plan.applied && plan.conflicts.length > 0 && body.force !== true) process.exitCode = 5;
  }

  /** Asks before progress of players is deleted: a source says what is there, and never what is lost. */
  private async confirmRemovals(projectId: string, body: z.input<typeof ApplySeasonRequest>): Promise<void> {
    const params = { projectId };
    const { changes } = await this.client.call(seasonRoutes.apply, { params, body: { ...body, dryRun: true } });
    const lost = lossesOf(changes).map(({ path, effects }) => `${path}: ${effects.join(' ')}`);
    if (lost.length === 0) return;
    const more = lost.length > maxNamed ? [`and ${lost.length - maxNamed} more`] : [];
    const named = [...lost.slice(0, maxNamed), ...more].map((line) => `\n  ${line}`).join('');
    await confirm('prune', `This deletes what players have reached:${named}\n`, { yes: false }, undoableForADay);
  }

  private printPlan(plan: SeasonPlan, force: boolean): void {
    if (this.common.json === true) this.printJson(plan);
    else if (plan.changes.length > 0) this.log(planView(plan, this.screen));
    for (const note of planNotes(plan, force)) this.logToStderr(note);
    if (plan.deletionId !== null) this.logToStderr(deletedForADay('What was removed is', plan.deletionId));
  }
}
