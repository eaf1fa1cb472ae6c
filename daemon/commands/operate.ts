/** Carries out an operator's request: through the daemon that holds the data folder, else directly on the files. */
import { resolve } from 'node:path';
import type { z } from 'zod';
import { askNewPassword, readStdin } from '../../src/cli/secrets.js';
import { Password } from '../../src/contract/identity/accounts.js';
import { askDaemon } from '../admin-socket/client.js';
import { modulesOf } from '../modules.js';
import type { AdminOperation } from '../platform/admin-operation.js';
import { systemClock } from '../platform/clock.js';
import { loadSettings } from '../platform/config/load.js';
import { DataFolderInUse } from '../platform/database/data-folder-lock.js';
import { type Foundation, openFoundation } from '../platform/foundation.js';
import { createLogger } from '../platform/observability/logger.js';
import { platformOf } from '../platform/platform.js';
import { UsageError } from './failures.js';
import type { SettingOptions } from './setting-options.js';

/** Throws UsageError when the input is not what the operation takes, Refused, and what opening the folder throws. */
export async function operate<I extends z.ZodType, O extends z.ZodType>(
  options: SettingOptions,
  operation: AdminOperation<I, O>,
  given: z.input<I>,
): Promise<z.output<O>> {
  const input = operation.input.safeParse(given);
  if (!input.success)
    throw new UsageError(input.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
  const { settings } = loadSettings({ flags: options.set, file: options.config });
  const logger = createLogger('error');
  let foundation: Foundation;
  try {
    foundation = await openFoundation(settings, systemClock, logger);
  } catch (error) {
    if (!(error instanceof DataFolderInUse)) throw error;
    return askDaemon(resolve(settings.EARSHOT_DATA_DIR), operation, given);
  }
  try {
    const { operations } = await modulesOf(await platformOf(foundation, settings, logger, systemClock));
    const handler = operations.find(({ operation: { name } }) => name === operation.name);
    if (handler === undefined) throw new Error(`No module offers ${operation.name}.`);
    return operation.output.parse(await handler.run(given));
  } finally {
    await foundation.close();
  }
}

/** A new password: typed hidden on a terminal, else all of standard input. Throws UsageError, Interrupted. */
export async function readPassword(): Promise<string> {
  const parsed = Password.safeParse(
    process.stdin.isTTY ? await askNewPassword('Password', 'standard input') : await readStdin(),
  );
  if (!parsed.success) throw new UsageError('A password has 10 to 200 characters.');
  return parsed.data;
}
