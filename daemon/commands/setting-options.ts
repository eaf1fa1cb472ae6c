/** The flags that say where a program takes its settings from. */
import type { Command } from 'commander';
import { didYouMean } from '../../src/contract/nearest.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import { shownAddress } from '../../src/text/printable.js';
import { isSettingName, settingsNear } from '../platform/config/load.js';
import { secretNames } from '../platform/config/schema.js';

export interface SettingOptions {
  readonly config?: string;
  readonly set: Record<string, string>;
}

export const withSettings = (command: Command): Command =>
  command
    .option('--config <file>', 'file of settings: YAML, or lines of NAME=value')
    .option('--set <NAME=value>', 'a setting, which overrides environment and file', collect, {});

/** Throws UsageError. */
function collect(text: string, before: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--set takes NAME=value, not ${text}`);
  refuseUnknown(text.slice(0, at));
  refuseSecret(text.slice(0, at), text.slice(at + 1));
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Whoever types a setting means one that there is; an environment may hold others. */
function refuseUnknown(name: string): void {
  if (isSettingName(name)) return;
  const hint = didYouMean(settingsNear(name), '`earshotd config defaults` lists every setting.');
  throw new UsageError(`--set: ${name} is not a setting. ${hint}`);
}

/** Every account on the machine can read the arguments of a program. */
function refuseSecret(name: string, value: string): void {
  const isAddress = ['DATABASE_URL', 'EARSHOT_DATABASE_DIRECT_URL'].includes(name);
  const isSecret = secretNames.some((one) => one === name) && (!isAddress || shownAddress(value) !== value);
  if (isSecret)
    throw new UsageError(
      `${name} is secret and does not belong on a command line: put it in the environment or the settings file, or name a file that holds it with --set ${name}_FILE=…`,
    );
}
