/**
 * Removes the data of deleted projects, which are out of reach since their deletion. Its only state is in the database,
 * so it continues after a restart.
 */
import type { ProjectRemovalSteps } from '../../../platform/module.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { DeletedProject, RemovalStore } from './removal-store.js';

export class ProjectRemoval {
  /** Projects whose last step has failed; the others do not wait for them. */
  private readonly failed = new Set<string>();

  constructor(
    private readonly removals: RemovalStore,
    private readonly holders: readonly ProjectRemovalSteps[],
    private readonly log: Pick<Logger, 'error'>,
  ) {}

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
      await this.removeSome(project);
    } catch (error) {
      this.failed.add(project.id);
      this.log.error({ err: error, projectId: project.id }, 'a part of a deleted project could not be removed');
    }
    return true;
  }

  private async removeSome(project: DeletedProject): Promise<void> {
    for (const holder of this.holders) await holder.close?.(project.id);
    let removed = 0;
    for (const holder of this.holders) removed += (await holder.removeSome?.(project.id)) ?? 0;
    if (removed === 0) {
      await this.removals.finish(project);
      for (const holder of this.holders) await holder.removed?.(project.id);
    }
  }
}
