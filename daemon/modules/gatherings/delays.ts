/** A queue_delay that is lifted, changed or imposed again moves the ready marks that wait for it. */
import { z } from 'zod';
import type { EventSubscription } from '../../platform/module.js';
import type { Logger } from '../../platform/observability/logger.js';

const Delay = z.object({ type: z.literal('queue_delay'), externalUserId: z.string() });

interface DelayedMarks {
  delayChanged(projectId: string, externalUserId: string): Promise<void>;
}

export const followDelays = (marks: DelayedMarks, log: Logger): Pick<EventSubscription, 'types' | 'on'> => ({
  types: ['sanction.*'],
  on: async (events) => {
    for (const { id: eventId, projectId, payload } of events) {
      const { data } = Delay.safeParse(payload.data);
      if (data === undefined || projectId === undefined) continue;
      await marks
        .delayChanged(projectId, data.externalUserId)
        .catch((err: unknown) => log.error({ err, eventId }, 'ready marks did not follow a change of a delay'));
    }
  },
});
