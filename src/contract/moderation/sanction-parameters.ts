/** What those kinds of sanction need that have a parameter. */
import { z } from 'zod';

export const SanctionParameters = z
  .object({
    speakingSecondsPerMinute: z.int().min(1).max(60).optional().describe('rate_limit; default: 20'),
    maxGatheringSize: z.int().min(1).max(100).optional().describe('party_restriction; default: 1'),
    delaySeconds: z.int().min(1).max(86_400).optional().describe('queue_delay; default: 30'),
    holdsProgress: z
      .boolean()
      .optional()
      .describe(
        'ranked_restriction: game events count in no challenge or battle pass until it is revoked; default: no',
      ),
  })
  .meta({ id: 'SanctionParameters' });
export type SanctionParameters = z.infer<typeof SanctionParameters>;

/** Defaults for kinds with a parameter, where the sanction states none. */
export const parameterDefaults = {
  ...{ speakingSecondsPerMinute: 20, maxGatheringSize: 1, delaySeconds: 30 },
  holdsProgress: false,
} as const;
