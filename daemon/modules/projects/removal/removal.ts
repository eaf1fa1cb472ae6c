/**
 * Removes the data of deleted projects, which are out of reach since their deletion. Its only state is in the database,
 * so it continues after a restart.
 */
import type { ProjectRemovalSteps } from '../../../platform/module.js';
import type { Logger } from '../../../platform/observability/logger.js';
import { whileThere } from '../../../platform/scheduler/due-work.js';
import type { JobRunner } from '../../../platform/scheduler/jobs.js';
import type { DeletedProject, RemovalStore } from './removal-store.js';

export class ProjectRemoval {
  /** Projects whose last step has failed, or is not begun now; the others do not wait for them. */
  private readonly failed = new Set<string>();

  /** By project, the holder that was asked last: those before it had nothing left. */
  private readonly places = new Map<string, number>();

  constructor(
    private readonly removals: RemovalStore,
    private readonly holders: readonly ProjectRemovalSteps[],
    private readonly jobs: Pick<JobRunner, 'run'>,
    private readonly log: Pick<Logger, 'error'>,
  ) {}

  readonly nextDue = whileThere(async () => (await this.removals.next(new Set())) !== null);

  /**
   * Removes a part of one deleted project; false when nothing is left to remove. Projects that have failed are tried
   * again then.
   */
  async step(): Promise<boolean> {
    const project = await this.removals.next(this.failed);
    if (project === null) {
      this.failed.clear();
      return false;
    }
    try {
      // The row belongs to no project: it must outlive what the removal deletes of its project.
      const piece = { job: 'remove-projects', subject: project.id, projectId: null };
      if (!(await this.jobs.run(piece, () => this.removeSome(project)))) this.failed.add(project.id);
    } catch (error) {
      this.failed.add(project.id);
      this.log.error({ err: error, projectId: project.id }, 'a part of a deleted project could not be removed');
    }
    return true;
  }

  /** One part of what the first holder still has; the project itself once no holder has anything. */
  private async removeSome(project: DeletedProject): Promise<void> {
    for (const holder of this.holders) await holder.close?.(project.id);
    const from = this.places.get(project.id) ?? 0;
    for (const [place, holder] of this.holders.entries()) {
      if (place < from) continue;
      this.places.set(project.id, place);
      if (((await holder.removeSome?.(project.id)) ?? 0) > 0) return;
    }
    this.places.delete(project.id);
    if (from > 0) return; // all are asked once more
    await this.removals.finish(project);
    // Rows that were written while the rest was being deleted, and that do not go with the project's row.
    for (const holder of this.holders) while (((await holder.removeSome?.(project.id)) ?? 0) > 0);
    await this.removals.dropLeftovers();
  }
}
