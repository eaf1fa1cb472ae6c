/** Plugins: the catalogue, and the instances that a project has installed of them. */
import { z } from 'zod';
import { Deleted, FreeData, ItemPath, PathPart, ProjectPath, QueryFlag, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';

/** Input of a plugin: single messages, or whole sessions. */
export const pluginKinds = ['message', 'session'] as const;

/** A name in paths and commands. */
export const PluginSlug = z
  .string()
  .max(60)
  .regex(/^[a-z][a-z0-9-]*$/, 'a slug is written like my-plugin')
  .describe('Plugin, by its slug');

export const Plugin = z
  .object({
    slug: z.string(),
    name: z.string(),
    description: z.string().describe('What it does, and what it cannot do'),
    version: z.string(),
    kind: z.enum(pluginKinds),
    events: z.array(z.string()).describe('Event types that it runs on; a trailing * is a wildcard'),
    settingsSchema: FreeData.describe('JSON Schema of the settings'),
    defaultSettings: FreeData,
  })
  .meta({ id: 'Plugin' });
export type Plugin = z.infer<typeof Plugin>;

export const PluginInstance = z
  .object({
    id: z.string(),
    projectId: z.string(),
    pluginId: z.string().describe('Slug of the plugin'),
    enabled: z.boolean(),
    settings: FreeData.describe('Secret values are shown as ***'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'PluginInstance' });
export type PluginInstance = z.infer<typeof PluginInstance>;

export const PluginInstanceWithPlugin = PluginInstance.extend({
  plugin: Plugin.nullable().describe('null: the operator has removed it'),
  setAside: z.int().describe('Runs that are not retried, because the daemon crashed twice during them'),
}).meta({ id: 'PluginInstanceWithPlugin' });
export type PluginInstanceWithPlugin = z.infer<typeof PluginInstanceWithPlugin>;

const settings = FreeData.optional();

export const CreatePluginInstanceRequest = z
  .object({
    pluginId: PluginSlug,
    settings: settings.describe("Fields that are not sent get the plugin's defaults"),
    enabled: z.boolean().default(true).describe('Run it on events from now on'),
  })
  .meta({ id: 'CreatePluginInstanceRequest' });
export type CreatePluginInstanceRequest = z.infer<typeof CreatePluginInstanceRequest>;

export const UpdatePluginInstanceRequest = z
  .object({
    settings: settings.describe('All settings; *** keeps a stored secret. They apply from the next run'),
    enabled: z.boolean().optional().describe('false: events are skipped until it is enabled again'),
  })
  .meta({ id: 'UpdatePluginInstanceRequest' });
export type UpdatePluginInstanceRequest = z.infer<typeof UpdatePluginInstanceRequest>;

const ResumedPluginRuns = z
  .object({ id: z.string(), resumed: z.int().describe('Runs that are queued again') })
  .meta({ id: 'ResumedPluginRuns' });
const DeletePluginInstanceResponse = Deleted.meta({ id: 'DeletePluginInstanceResponse' });

const group = 'Plugins';
const auth = ['apiKey', 'bearer'] as const;

export const pluginRoutes = {
  list: defineRoute({
    operationId: 'listPlugins',
    cursor: ['slug'],
    summary: 'List the plugins that projects can install.',
    group,
    method: 'get',
    path: '/api/plugins',
    auth,
    scope: 'plugins:read',
    success: { status: 200, body: z.array(Plugin) },
    errors: [],
  }),
  get: defineRoute({
    operationId: 'getPlugin',
    summary: 'Show a plugin with the schema of its settings.',
    group,
    method: 'get',
    path: '/api/plugins/{slug}',
    auth,
    scope: 'plugins:read',
    params: z.object({ slug: PathPart(100) }),
    success: { status: 200, body: Plugin },
    errors: ['plugin_not_found'],
  }),
};

const writing = { group, auth, scope: 'plugins', role: 'admin' } as const;
const reading = { group, auth, scope: 'plugins:read', role: 'viewer' } as const;

export const pluginInstanceRoutes = {
  list: defineRoute({
    ...reading,
    operationId: 'listPluginInstances',
    summary: 'List the plugins that the project has installed.',
    method: 'get',
    path: '/api/projects/{projectId}/plugins/instances',
    params: ProjectPath,
    query: z.object({ enabled: QueryFlag.optional().describe('Only enabled ones, or only disabled ones') }),
    success: { status: 200, body: z.array(PluginInstanceWithPlugin) },
    errors: [],
  }),
  create: defineRoute({
    ...writing,
    operationId: 'createPluginInstance',
    summary: 'Install a plugin in the project.',
    method: 'post',
    path: '/api/projects/{projectId}/plugins/instances',
    params: ProjectPath,
    body: CreatePluginInstanceRequest,
    success: { status: 201, body: PluginInstance },
    errors: ['plugin_unknown', 'plugin_settings_invalid', 'plugin_already_installed'],
  }),
  get: defineRoute({
    ...reading,
    operationId: 'getPluginInstance',
    summary: 'Show an installed plugin with its settings.',
    method: 'get',
    path: '/api/projects/{projectId}/plugins/instances/{id}',
    params: ItemPath,
    success: { status: 200, body: PluginInstanceWithPlugin },
    errors: ['plugin_instance_not_found'],
  }),
  update: defineRoute({
    ...writing,
    operationId: 'updatePluginInstance',
    summary: 'Change the settings of an installed plugin, enable it or disable it.',
    method: 'put',
    path: '/api/projects/{projectId}/plugins/instances/{id}',
    params: ItemPath,
    body: UpdatePluginInstanceRequest,
    success: { status: 200, body: PluginInstance },
    errors: ['plugin_instance_not_found', 'plugin_unknown', 'plugin_settings_invalid', 'secret_needed_again'],
  }),
  resume: defineRoute({
    ...writing,
    operationId: 'resumePluginInstance',
    summary: 'Retry runs that were set aside because the daemon crashed twice, one at a time.',
    method: 'post',
    path: '/api/projects/{projectId}/plugins/instances/{id}/resume',
    params: ItemPath,
    success: { status: 200, body: ResumedPluginRuns },
    errors: ['plugin_instance_not_found'],
  }),
  remove: defineRoute({
    ...writing,
    operationId: 'deletePluginInstance',
    summary: 'Uninstall a plugin from the project; its annotations stay.',
    method: 'delete',
    path: '/api/projects/{projectId}/plugins/instances/{id}',
    params: ItemPath,
    success: { status: 200, body: DeletePluginInstanceResponse },
    errors: ['plugin_instance_not_found'],
  }),
};
