/** Events that no reader could process, for `earshotd doctor`. */
import { z } from 'zod';

export const listSkippedEvents = {
  name: 'events.skipped',
  input: z.object({}),
  output: z.object({ ids: z.array(z.string()) }),
};
