/** Manifest of a plugin. */
import { z } from 'zod';
import { FreeData } from '../../../../src/contract/common.js';
import { EventPattern, matchesSome } from '../../../../src/contract/events.js';
import { type Plugin, PluginSlug, pluginKinds } from '../../../../src/contract/plugins/plugins.js';

const eventsMax = 20;
/** Largest schema and defaults, as JSON. */
const schemaCharactersMax = 32_768;

/** Two plugins that run on each other's annotations would answer each other for ever. */
const ownEvents = ['message.annotation.created', 'session.annotation.created'];
/** True if plugins are ever run on events of the type. */
export const runsOn = (type: string): boolean => !ownEvents.includes(type) && !type.startsWith('webhook.');

const small = (value: unknown): boolean => JSON.stringify(value).length <= schemaCharactersMax;

export const Manifest = z.object({
  slug: PluginSlug,
  name: z.string().trim().min(1).max(100),
  description: z.string().trim().min(1).max(4000),
  version: z
    .string()
    .max(50)
    .regex(/^\d+\.\d+\.\d+/, 'a version is written like 1.0.0'),
  kind: z.enum(pluginKinds),
  events: z.array(EventPattern).min(1).max(eventsMax),
  settingsSchema: FreeData.default({ type: 'object' }).refine(small, 'the schema is too large'),
  defaultSettings: FreeData.default({}).refine(small, 'the defaults are too large'),
});
export type Manifest = z.infer<typeof Manifest>;

export const hears = ({ events }: Manifest, type: string): boolean => runsOn(type) && matchesSome(type, events);

/** As the API shows it. */
export const toPlugin = (manifest: Manifest): Plugin => ({
  slug: manifest.slug,
  name: manifest.name,
  description: manifest.description,
  version: manifest.version,
  kind: manifest.kind,
  events: manifest.events,
  settingsSchema: manifest.settingsSchema,
  defaultSettings: manifest.defaultSettings,
});
