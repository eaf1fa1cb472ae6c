/** The process that tries a backup for the daemon, told what to try by its first message. */
import { join } from 'node:path';
import { z } from 'zod';
import { answerDaemon } from '../processes/answer-daemon.js';
import { KeyRing } from '../secrets/key-ring.js';
import { systemClock } from '../time/clock.js';
import { tryBackup } from './restore-trial.js';

const Order = z.object({
  source: z.string(),
  dataDir: z.string(),
  masterKey: z.string().optional(),
  identities: z.string().optional(),
});

async function run({ source, dataDir, masterKey, identities }: z.infer<typeof Order>): Promise<void> {
  const ring = await KeyRing.find(join(dataDir, 'key-ring.json'), systemClock, masterKey);
  await tryBackup(source, dataDir, { ring, identities });
}

process.once('message', (message) =>
  run(Order.parse(message)).then(
    () => answerDaemon(null),
    (error: unknown) => answerDaemon(error instanceof Error ? error.message : String(error)),
  ),
);
