/** `earshotd rotate-key` and `earshotd key export`. */
import { exportKeys, rotateKey } from '../control/key-operations.js';
import { operate } from './operate.js';
import type { SettingOptions } from './setting-options.js';

export async function rotate(options: SettingOptions): Promise<void> {
  const { masterKeyId, dataKeys } = await operate(options, rotateKey, {});
  if (dataKeys === 0) console.log(`Everything is wrapped by master key ${masterKeyId} already.`);
  else console.log(`rotated: ${dataKeys} data keys are wrapped by master key ${masterKeyId}`);
  process.stderr.write(
    'The key before stays in the key ring, for backups that need it. `earshotd key export` prints the ring.\n',
  );
}

export async function exportRing(options: SettingOptions): Promise<void> {
  const ring = await operate(options, exportKeys, {});
  console.log(JSON.stringify(ring, null, 2));
  process.stderr.write('Whoever has these keys and a backup can read every secret. Keep the two apart.\n');
}
