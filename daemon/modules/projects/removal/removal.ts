/**
 * Removes what is left of deleted projects, which are out of reach since their deletion. All it needs to know stands in
 * the database, so it goes on after a restart where it was.
 */
import type { ProjectRemovalSteps } from '../../../platform/module.js';
import type { RemovalStore } from './removal-store.js';

export class ProjectRemoval {
  constructor(
    private readonly removals: RemovalStore,
    private readonly holders: readonly ProjectRemovalSteps[],
  ) {}

  /** Removes some of one deleted project; false when there is nothing to remove. */
  async step(): Promise<boolean> {
    const project = await this.removals.next();
    if (project === null) return false;
    for (const holder of this.holders) await holder.close?.(project.id);
    let removed = 0;
    for (const holder of this.holders) removed += (await holder.removeSome?.(project.id)) ?? 0;
    if (removed === 0) {
      await this.removals.finish(project);
      for (const holder of this.holders) await holder.removed?.(project.id);
    }
    return true;
  }
}
