/** Carries out an operator's request: through the daemon that holds the data folder, else directly on the files. */

import { resolve } from 'node:path';
import type { z } from 'zod';
import { Password } from '../../src/contract/identity/accounts.js';
import { judge, problemLines } from '../../src/contract/judge.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import { askDaemon } from '../admin-socket/client.js';
import type { AdminOperation } from '../platform/admin-operation.js';
import { loadSettings } from '../platform/config/load.js';
import { DataFolderInUse, DataFolderLock } from '../platform/database/data-folder-lock.js';
import type { SettingOptions } from './setting-options.js';

/** Throws UsageError when the input is not what the operation takes, Refused, and what opening the folder throws. */
export async function operate<I extends z.ZodType, O extends z.ZodType>(
  options: SettingOptions,
  operation: AdminOperation<I, O>,
  given: z.input<I>,
): Promise<z.output<O>> {
  const input = judge(operation.input, given);
  if (!input.success) throw new UsageError(problemLines(input.problems, 'input').join('\n'));
  const { settings } = loadSettings({ flags: options.set, file: options.config });
  const dataDir = resolve(settings.EARSHOT_DATA_DIR);
  if (new DataFolderLock(dataDir).holder() !== null) return askDaemon(dataDir, operation, given);
  // Only where no daemon runs is one loaded: it takes several times as long as the question does.
  const { operateOnFiles } = await import('./operate-on-files.js');
  try {
    return await operateOnFiles(settings, operation, given);
  } catch (error) {
    if (!(error instanceof DataFolderInUse) || new DataFolderLock(dataDir).holder() === null) throw error;
    return askDaemon(dataDir, operation, given); // it has started meanwhile
  }
}

/** A new password: typed hidden on a terminal, else all of standard input. Throws UsageError, Interrupted. */
export async function readPassword(): Promise<string> {
  const { askNewPassword, readStdin } = await import('../../src/terminal/questions.js');
  const parsed = Password.safeParse(
    process.stdin.isTTY ? await askNewPassword('Password', 'standard input') : await readStdin(),
  );
  if (!parsed.success) throw new UsageError('A password has 10 to 200 characters.');
  return parsed.data;
}
