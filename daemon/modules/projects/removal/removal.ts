/**
 * Removes the data of deleted projects, which are out of reach since their deletion. Its only state is in the database,
 * so it continues after a restart.
 */
import type { ProjectRemovalSteps } from '../../../platform/module.js';
import type { RemovalStore } from './removal-store.js';

export class ProjectRemoval {
  constructor(
    private readonly removals: RemovalStore,
    private readonly holders: readonly ProjectRemovalSteps[],
  ) {}

  /** Removes a part of one deleted project; false when nothing is left to remove. */
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
