/** Actions of plugins on a session, and its summary. */
import { z } from 'zod';
import { FreeData, ItemPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';

export const actionStatuses = ['queued', 'running', 'succeeded', 'failed', 'skipped', 'set_aside'] as const;
export type ActionStatus = (typeof actionStatuses)[number];

export const PluginAction = z
  .object({
    id: z.string(),
    type: z.string().describe('Type of the event that the plugin was run on'),
    status: z
      .enum(actionStatuses)
      .describe('set_aside: the daemon crashed twice during it; it runs again when the instance is resumed'),
    startedAt: Timestamp.nullable(),
    finishedAt: Timestamp.nullable(),
    durationMs: z.int().nullable(),
    error: z.string().nullable().describe('Why it failed, was skipped, or will be tried again'),
    result: FreeData.nullable(),
  })
  .meta({ id: 'PluginAction' });
export type PluginAction = z.infer<typeof PluginAction>;

export const SessionActionsResponse = z
  .object({
    sessionId: z.string(),
    plugins: z.array(
      z.object({
        slug: z.string(),
        name: z.string(),
        instanceId: z.string(),
        actions: z.array(PluginAction).describe('Newest first, up to 200 per plugin, and up to 2 MiB in total'),
      }),
    ),
  })
  .meta({ id: 'SessionActionsResponse' });
export type SessionActionsResponse = z.infer<typeof SessionActionsResponse>;

const SummaryRequested = z
  .object({ sessionId: z.string(), status: z.literal('queued') })
  .meta({ id: 'RegenerateSummaryResponse' });

const group = 'Sessions and messages';
const auth = ['apiKey', 'bearer'] as const;

export const sessionActionRoutes = {
  list: defineRoute({
    operationId: 'listSessionActions',
    summary: 'Show what plugins did with a session, by plugin.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sessions/{id}/actions',
    auth,
    scope: 'sessions:read',
    role: 'viewer',
    params: ItemPath,
    success: { status: 200, body: SessionActionsResponse },
    errors: ['session_not_found'],
  }),
  regenerateSummary: defineRoute({
    operationId: 'regenerateSummary',
    summary: 'Delete the summary of a session and have a new one written with the current settings.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/sessions/{id}/regenerate-summary',
    auth,
    scope: 'sessions',
    role: 'moderator',
    params: ItemPath,
    success: { status: 200, body: SummaryRequested },
    errors: ['session_not_found', 'summary_plugin_not_installed'],
  }),
};
