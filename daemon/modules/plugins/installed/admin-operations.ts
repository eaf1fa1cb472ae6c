/** `earshotd plugins …`. */
import { z } from 'zod';
import { DomainEvent } from '../../../../src/contract/events.js';
import { type AdminHandler, handlerOf } from '../../../platform/admin-operation.js';
import type { EventLog } from '../../../platform/events/log.js';
import { hears, Manifest } from '../catalogue/manifest.js';
import { isRedacted } from '../host/event-subject.js';
import type { InstalledPlugins } from './installed.js';
import { codeBytesMax, OwnManifest } from './own-manifest.js';

export const recordedMax = 100;
/** Events of the log that are looked through for them. */
const lookedThrough = 2_000;

export const installPlugin = {
  name: 'plugins.install',
  input: z.object({ manifest: OwnManifest, code: z.string().max(codeBytesMax).nullable() }),
  output: z.object({ secret: z.string().nullable().describe('Of an endpoint, if it is new') }),
};

export const uninstallPlugin = {
  name: 'plugins.uninstall',
  input: z.object({ slug: z.string().min(1).max(100) }),
  output: z.object({}),
};

export const listInstalled = {
  name: 'plugins.list',
  input: z.object({}),
  output: z.array(z.object({ slug: z.string(), version: z.string(), kind: z.string(), events: z.array(z.string()) })),
};

export const recordedEvents = {
  name: 'plugins.events',
  input: z.object({ manifest: Manifest, limit: z.int().min(1).max(recordedMax) }),
  output: z.array(DomainEvent),
};

/** The newest events that the plugin would be run on, oldest first; it is never run on those whose data was erased. */
async function newest(log: EventLog, manifest: Manifest, limit: number): Promise<DomainEvent[]> {
  const head = await log.head();
  const from = head - BigInt(lookedThrough);
  const events = await log.read({ after: from < 0n ? 0n : from, limit: lookedThrough });
  return events
    .flatMap(({ event }) => (hears(manifest, event.type) && !isRedacted(event) ? [event] : []))
    .slice(-limit);
}

export const pluginOperations = (installed: InstalledPlugins, log: EventLog): AdminHandler[] => [
  handlerOf(installPlugin, ({ manifest, code }) => installed.install(manifest, code)),
  handlerOf(uninstallPlugin, async ({ slug }) => {
    await installed.uninstall(slug);
    return {};
  }),
  handlerOf(listInstalled, () => installed.list()),
  handlerOf(recordedEvents, ({ manifest, limit }) => newest(log, manifest, limit)),
];
