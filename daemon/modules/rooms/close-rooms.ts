/**
 * Closes the rooms of projects that were deleted or whose tenant was disabled, on whichever daemon that happened. It
 * reads the database instead of following events, so that people who join in the meantime are found too.
 */
import type { Logger } from '../../platform/observability/logger.js';
import { Repeat } from '../../platform/scheduler/repeat.js';
import type { ProjectStore } from '../projects/store.js';
import type { BotSupervisor } from '../sessions/supervisor.js';
import type { RoomsAnywhere } from './elsewhere/rooms-anywhere.js';

const everyMs = 500;

export const closeRooms = (
  rooms: Pick<RoomsAnywhere, 'projectsHere' | 'close'>,
  projects: Pick<ProjectStore, 'inReach'>,
  bots: Pick<BotSupervisor, 'wake'>,
  log: Logger,
): Repeat =>
  new Repeat(
    'close-rooms',
    everyMs,
    async () => {
      const occupied = [...rooms.projectsHere()];
      if (occupied.length === 0) return;
      const open = await projects.inReach(occupied);
      for (const projectId of occupied) {
        if (open.has(projectId)) continue;
        bots.wake(); // bots of sessions that have ended leave
        await rooms.close(projectId);
      }
    },
    log,
  );
