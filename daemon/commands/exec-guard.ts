/**
 * Stays beside `earshotd exec` and does nothing as long as it lives. When it dies without having cleaned up, by SIGKILL, the
 * channel between the two closes: then the guard ends what the command has started, and removes the folder.
 */
import { rmSync } from 'node:fs';
import { removeStaleScratch } from '../modules/sessions/recognisers/scratch.js';
import { endGroup } from './process-group.js';

const [folder = ''] = process.argv.slice(2);
/** Of the command; null while none runs. */
let group: number | null = null;

// Whatever ends exec is not meant for the guard, which has work to do then.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', (message) => {
  group = typeof message === 'number' && message > 0 ? message : null;
});
process.on('disconnect', async () => {
  if (group !== null) await endGroup(group, 'SIGTERM');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  await removeStaleScratch();
  process.exit();
});
