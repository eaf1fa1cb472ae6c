/** `earshotd rotate-key` and `earshotd key export`. */
import { print, printError } from '../../src/terminal/terminal.js';
import { exportKeys, rotateKey } from '../platform/secrets/admin-operations.js';
import { operate } from './operate.js';
import type { SettingOptions } from './setting-options.js';

export async function rotate(options: SettingOptions): Promise<void> {
  const { masterKeyId, dataKeys } = await operate(options, rotateKey, {});
  if (dataKeys === 0) print(`All data keys are already wrapped by master key ${masterKeyId}.`);
  else print(`rotated: ${dataKeys} data keys are wrapped by master key ${masterKeyId}`);
  printError(
    'The previous key stays in the key ring, for backups that need it. `earshotd key export` prints the ring.',
  );
}

export async function exportRing(options: SettingOptions): Promise<void> {
  const ring = await operate(options, exportKeys, {});
  print(JSON.stringify(ring, null, 2));
  printError('Anybody with these keys and a backup can read every secret. Keep the two apart.');
}
