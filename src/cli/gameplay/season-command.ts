/** Shared parts of `gameplay apply` and `gameplay copy`: applying a season, and printing the changes. */
import type { z } from 'zod';
import type { SeasonFile } from '../../contract/gameplay/season-file.js';
import { ApplySeasonRequest, type SeasonPlan, seasonRoutes } from '../../contract/gameplay/season-routes.js';
import { ProjectCommand } from '../command/command.js';
import { flagsFor, requestFrom } from '../typed/fields.js';
import { planNotes, planView } from './season-view.js';

export const seasonFlags = flagsFor(ApplySeasonRequest, ['season']);

export abstract class SeasonCommand extends ProjectCommand {
  /** Exit code 5 where a dry run shows that applying would be refused. */
  protected async applySeason(
    projectId: string,
    season: z.input<typeof SeasonFile>,
    flags: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const body = requestFrom(ApplySeasonRequest, flags, { season });
    const plan = await this.client.call(seasonRoutes.apply, { params: { projectId }, body });
    this.printPlan(plan, body.force === true);
    if (!plan.applied && plan.conflicts.length > 0 && body.force !== true) process.exitCode = 5;
  }

  private printPlan(plan: SeasonPlan, force: boolean): void {
    if (this.common.json === true) this.printJson(plan);
    else if (plan.changes.length > 0) this.log(planView(plan, this.screen));
    for (const note of planNotes(plan, force)) this.logToStderr(note);
  }
}
