/** Plugins in projects, what they did with a session, and summaries. */
import { randomUUID } from 'node:crypto';
import { askDaemon } from '../../../../daemon/admin-socket/client.js';
import { installPlugin, uninstallPlugin } from '../../../../daemon/modules/plugins/installed/admin-operations.js';
import { pluginInstanceRoutes } from '../../../../src/contract/plugins/plugins.js';
import { sessionRoutes } from '../../../../src/contract/sessions/sessions.js';
import { type Cases, just, type SceneOf } from '../case.js';
import type { World } from '../world.js';

const project = ({ projectId }: World) => ({ projectId });
/** A project has each plugin once. */
const clear = async (world: World) => {
  const params = project(world);
  for (const { id } of await world.client.call(pluginInstanceRoutes.list, { params }))
    await world.client.call(pluginInstanceRoutes.remove, { params: { ...params, id } });
};
const settings = { baseUrl: 'https://one.example/v1', apiKey: 'hush' };
const install = async (world: World, pluginId: string, given: Record<string, string> = {}) => {
  await clear(world);
  const body = { pluginId, settings: given };
  const { id } = await world.client.call(pluginInstanceRoutes.create, { params: project(world), body });
  return { ...project(world), id };
};
const one: SceneOf = async (world) => ({ params: await install(world, 'sentiment') });
const session = async (world: World) => {
  const body = { title: 'Match', externalRoomId: randomUUID(), autoStart: false };
  const { id } = await world.client.call(sessionRoutes.create, { params: project(world), body });
  return { ...project(world), id };
};

/** Its plugin was uninstalled by the operator. */
const orphan = async (world: World) => {
  const slug = 'gone';
  const manifest = {
    ...{ slug, name: 'Gone', description: 'For a test.', version: '1.0.0', kind: 'message' as const },
    ...{ events: ['message.created'], main: 'plugin.js' },
  };
  const { dataDir } = world.daemon;
  await askDaemon(dataDir, installPlugin, { manifest, code: 'export default () => null' });
  const params = await install(world, slug);
  await askDaemon(dataDir, uninstallPlugin, { slug });
  return params;
};

export const pluginCases: Cases = {
  getPlugin: { works: () => ({ params: { slug: 'summary' } }) },
  createPluginInstance: {
    works: async (world) => {
      await clear(world);
      return { body: just({ pluginId: 'sentiment' }) };
    },
    refuses: {
      plugin_unknown: () => ({ body: just({ pluginId: 'nothing' }) }),
      plugin_settings_invalid: () => ({ body: just({ pluginId: 'sentiment', settings: { minimum: 7 } }) }),
      plugin_already_installed: async (world) => {
        await install(world, 'summary');
        return { body: just({ pluginId: 'summary' }) };
      },
    },
  },
  getPluginInstance: { works: one },
  updatePluginInstance: {
    works: async (world) => ({ ...(await one(world)), body: just({ settings: { minimum: 0.5 }, enabled: false }) }),
    refuses: {
      plugin_unknown: async (world) => ({ params: await orphan(world), body: just({ settings: {} }) }),
      plugin_settings_invalid: async (world) => ({ ...(await one(world)), body: just({ settings: { minimum: 7 } }) }),
      secret_needed_again: async (world) => ({
        params: await install(world, 'moderation-api', settings),
        body: just({ settings: { baseUrl: 'https://two.example/v1', apiKey: '***' } }),
      }),
    },
  },
  resumePluginInstance: { works: one },
  deletePluginInstance: { works: one },
  listSessionActions: { works: async (world) => ({ params: await session(world) }) },
  regenerateSummary: {
    works: async (world) => {
      await install(world, 'summary');
      return { params: await session(world) };
    },
    refuses: {
      summary_plugin_not_installed: async (world) => {
        await clear(world);
        return { params: await session(world) };
      },
    },
  },
};
