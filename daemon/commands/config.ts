/** `earshotd config check|print|defaults`. */
import { z } from 'zod';
import { print } from '../../src/terminal/terminal.js';
import { shownAddress } from '../../src/text/printable.js';
import { loadSettings } from '../platform/config/load.js';
import { settingsSchema } from '../platform/config/schema.js';
import type { SettingOptions } from './setting-options.js';

export function check({ config, set }: SettingOptions): void {
  const { warnings } = loadSettings({ flags: set, file: config });
  for (const warning of warnings) print(`warning: ${warning}`);
  print(warnings.length === 0 ? 'The settings are valid.' : 'The settings are usable.');
}

export function printSettings({ config, set }: SettingOptions): void {
  const { settings } = loadSettings({ flags: set, file: config });
  for (const [name, value] of Object.entries(settings)) {
    print(`${name}=${shownAddress(String(value))}`);
  }
}

/** One line per setting; what depends on another setting is said in its description. */
export function defaults(): void {
  const schema = z.toJSONSchema(settingsSchema, { unrepresentable: 'any' });
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (typeof field === 'boolean') continue;
    const value = field.default === undefined ? '' : String(field.default);
    print(`${`${name}=${value}`.padEnd(48)} # ${field.description ?? ''}`);
  }
}
