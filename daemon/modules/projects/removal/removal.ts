/**
 * Removes what is left of deleted projects, which are out of reach since their deletion. All it needs to know stands in
 * the database, so it goes on after a restart where it was.
 */
import type { DeletedProject, RemovalStore } from './removal-store.js';

/** Where people of a project may still be talking. */
export interface ProjectRooms {
  close(projectId: string): Promise<void>;
}

export interface Recordings {
  remove(name: string): Promise<void>;
}

export class ProjectRemoval {
  constructor(
    private readonly removals: RemovalStore,
    private readonly rooms: ProjectRooms,
    private readonly recordings: Recordings,
  ) {}

  /** Removes some of one deleted project; false when there is nothing to remove. */
  async step(): Promise<boolean> {
    const project = await this.removals.next();
    if (project === null) return false;
    await this.rooms.close(project.id);
    const removed = (await this.removeRecordings(project)) + (await this.removals.removeSome(project.id));
    if (removed === 0) await this.removals.finish(project);
    return true;
  }

  /** Files first: a row that outlives its file is found again, a file that outlives its row never is. */
  private async removeRecordings({ id }: DeletedProject): Promise<number> {
    const names = await this.removals.recordings(id);
    for (const name of names) await this.recordings.remove(name);
    if (names.length > 0) await this.removals.forgetRecordings(id, names);
    return names.length;
  }
}
