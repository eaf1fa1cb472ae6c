/**
 * Runs beside `earshotd exec` and only waits. When exec dies without cleaning up, for example by SIGKILL, the channel
 * between them closes: then the guard ends what the command has started and removes the folder.
 */
import { rmSync } from 'node:fs';
import { removeStaleScratch } from '../modules/sessions/recognisers/scratch.js';
import { endGroup } from './process-group.js';

const [folder = ''] = process.argv.slice(2);
/** Process group of the command; null while none runs. */
let group: number | null = null;

// Signals that end exec must not end the guard, which cleans up afterwards.
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
