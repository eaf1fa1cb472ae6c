/** What a running daemon alone knows, for `earshotd support-bundle`. */
import { z } from 'zod';
import { type AdminHandler, handlerOf } from '../admin-operation.js';
import { lastLines } from './logger.js';
import type { Metrics } from './metrics.js';

export const describeDaemon = {
  name: 'support.describe',
  input: z.object({}),
  output: z.object({ log: z.string(), metrics: z.string() }),
};

export const supportOperation = (metrics: Pick<Metrics, 'text'>): AdminHandler =>
  handlerOf(describeDaemon, async () => ({ log: lastLines.text, metrics: await metrics.text() }));
