/** Where a program takes its settings from, as its flags say it. */
import type { Command } from 'commander';
import { UsageError } from './failures.js';

export interface SettingOptions {
  readonly config?: string;
  readonly set: Record<string, string>;
}

export const withSettings = (command: Command): Command =>
  command
    .option('--config <file>', 'file of NAME=value settings')
    .option('--set <NAME=value>', 'a setting, stronger than environment and file', collect, {});

/** Throws UsageError. */
function collect(text: string, before: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--set takes NAME=value, not ${text}`);
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}
