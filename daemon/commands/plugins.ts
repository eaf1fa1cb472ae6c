/** `earshotd plugins …`: plugins of the operator's own. */

import type { z } from 'zod';
import { FreeData } from '../../src/contract/common.js';
import { DomainError } from '../../src/contract/errors.js';
import { DomainEvent } from '../../src/contract/events.js';
import { judge, problemLines } from '../../src/contract/judge.js';
import { print, printError } from '../../src/terminal/terminal.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import {
  installPlugin,
  listInstalled,
  recordedEvents,
  recordedMax,
  uninstallPlugin,
} from '../modules/plugins/installed/admin-operations.js';
import { type OwnPlugin, readPlugin } from '../modules/plugins/installed/plugin-folder.js';
import { PluginTrial, type TrialResult } from '../modules/plugins/installed/trial.js';
import { loadSettings } from '../platform/config/load.js';
import { createLogger } from '../platform/observability/logger.js';
import { Outbound } from '../platform/outbound/outbound.js';
import { systemClock } from '../platform/time/clock.js';
import { operate } from './operate.js';
import type { SettingOptions } from './setting-options.js';
import { textOfFile, wholeNumberOf } from './typed-values.js';

export async function install(folder: string, options: SettingOptions): Promise<void> {
  const plugin = readPlugin(folder);
  const { secret } = await operate(options, installPlugin, plugin);
  const { slug, version } = plugin.manifest;
  print(`installed ${slug} ${version}; projects install it with: earshot plugins install ${slug}`);
  if (secret !== null) print(`Secret of its endpoint, shown only once: ${secret}`);
}

export async function uninstall(slug: string, options: SettingOptions): Promise<void> {
  await operate(options, uninstallPlugin, { slug });
  print(`uninstalled ${slug}; its instances in projects stay, but no longer run`);
}

export async function list(options: SettingOptions & { json?: boolean }): Promise<void> {
  const plugins = await operate(options, listInstalled, {});
  if (options.json === true) print(JSON.stringify(plugins, null, 2));
  else
    for (const { slug, version, kind, events } of plugins) print(`${slug}  ${version}  ${kind}  ${events.join(', ')}`);
}

export interface TestOptions extends SettingOptions {
  readonly events?: string;
  readonly last?: string;
  readonly settings?: string;
  readonly secret?: string;
  readonly json?: boolean;
}

/** Ends with code 1 where a run failed, or where there was no event to run it on. */
export async function test(folder: string, options: TestOptions): Promise<void> {
  const plugin = readPlugin(folder);
  const { settings } = loadSettings({ flags: options.set, file: options.config });
  const events = await eventsFor(plugin, options);
  const outbound = new Outbound(settings.EARSHOT_OUTBOUND_ALLOW ?? []);
  const trial = new PluginTrial(plugin, outbound, options.secret ?? '', createLogger('error'), systemClock);
  let [runs, failed] = [0, 0];
  try {
    for await (const result of trial.on(events, settingsIn(options.settings))) {
      runs += 1;
      if (result.error !== null) failed += 1;
      show(result, options.json === true);
    }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new UsageError(
      [error.message, ...(error.details ?? []).map(({ path, message }) => `${path}: ${message}`)].join('\n'),
    );
  } finally {
    trial.stop();
  }
  printError(`${runs} events of ${events.length}, ${failed} failed`);
  if (runs === 0) printError('No event has a type that the plugin reads.');
  if (failed > 0 || runs === 0) process.exitCode = 1;
}

function show({ event, findings, printed, error }: TrialResult, json: boolean): void {
  if (json) {
    print(JSON.stringify({ eventId: event.id, annotations: findings, printed, error }));
    return;
  }
  print(`${event.type} ${event.resourceId}`);
  for (const line of printed) print(`  printed: ${line}`);
  for (const { type, content } of findings) print(`  ${type}: ${JSON.stringify(content)}`);
  if (error !== null) print(`  failed: ${error}`);
  else if (findings.length === 0) print('  no annotations');
}

/** Reads events from a file, one a line as `earshot events tail --json` prints them, else the newest of the log. */
async function eventsFor({ manifest }: OwnPlugin, options: TestOptions): Promise<DomainEvent[]> {
  if (options.events === undefined) {
    const limit = wholeNumberOf('--last', options.last ?? '20', 1, recordedMax);
    return operate(options, recordedEvents, { manifest, limit });
  }
  const lines = textOfFile(options.events)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const place = `${options.events} line ${index + 1}`;
    const judged = judge(DomainEvent, jsonIn(line, place));
    if (judged.success) return judged.data;
    throw new UsageError(`${place} is no event: ${problemLines(judged.problems, 'it').join('; ')}`);
  });
}

/** Throws UsageError. */
function jsonIn(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new UsageError(`${place} is not an event: it is not JSON`);
  }
}

function settingsIn(path: string | undefined): z.infer<typeof FreeData> {
  if (path === undefined) return {};
  try {
    return FreeData.parse(JSON.parse(textOfFile(path)));
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`${path} is no JSON object.`);
  }
}
