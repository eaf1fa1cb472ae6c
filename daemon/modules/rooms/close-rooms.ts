/**
 * Closes the rooms of projects that were deleted or whose tenant was disabled, on whichever daemon that happened. It
 * reads the database instead of following events, so that people who join in the meantime are found too.
 */
import type { Logger } from '../../platform/observability/logger.js';
import { Repeat } from '../../platform/scheduler/repeat.js';

interface OpenRooms {
  /** Projects with somebody in a room. */
  projects(): Iterable<string>;
  close(projectId: string): Promise<void>;
}

interface ReachableProjects {
  /** Returns the projects within reach now, out of these. */
  inReach(projectIds: readonly string[]): Promise<ReadonlySet<string>>;
}

const everyMs = 500;

interface Bots {
  /** Makes the bots of sessions that have ended leave. */
  compareBots(): void;
}

export const closeRooms = (rooms: OpenRooms, projects: ReachableProjects, bots: Bots, log: Logger): Repeat =>
  new Repeat(
    'close-rooms',
    everyMs,
    async () => {
      const occupied = [...rooms.projects()];
      if (occupied.length === 0) return;
      const open = await projects.inReach(occupied);
      for (const projectId of occupied) {
        if (open.has(projectId)) continue;
        bots.compareBots();
        await rooms.close(projectId);
      }
    },
    log,
  );
