/** `earshotd rotate-key`, `earshotd key export` and `earshotd key renew`. */
import { print, printError } from '../../src/terminal/terminal.js';
import { Refused } from '../platform/refused.js';
import {
  exportKeys,
  isRenewedKey,
  renewedKeys,
  renewSigningKeys,
  rotateKey,
} from '../platform/secrets/admin-operations.js';
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

/** Without names it lists them. Throws Refused for another name. */
export async function renew(names: readonly string[], options: SettingOptions): Promise<void> {
  if (names.length === 0) {
    for (const [name, what] of Object.entries(renewedKeys)) print(`${name.padEnd(16)} ${what}`);
    return;
  }
  const unknown = names.filter((name) => !isRenewedKey(name));
  if (unknown.length > 0)
    throw new Refused(
      `There is no signing key ${unknown.join(', ')}. There are ${Object.keys(renewedKeys).join(', ')}.`,
    );
  await operate(options, renewSigningKeys, { names: [...names] });
  const ended = Object.entries(renewedKeys).flatMap(([name, what]) => (names.includes(name) ? what : []));
  print(`renewed at the next start: ${names.join(', ')}`);
  printError(`Restart every daemon of this database. These end then: ${ended.join('; ')}.`);
}
