import { annotationRoutes } from '../../../src/contract/plugins/annotations.js';
import { pluginInstanceRoutes, pluginRoutes } from '../../../src/contract/plugins/plugins.js';
import { sessionActionRoutes } from '../../../src/contract/plugins/session-actions.js';
import { bind } from '../../platform/http/bind.js';
import type { SessionActions } from './actions/session-actions.js';
import type { Annotations } from './annotations/service.js';
import type { Catalogue } from './catalogue/catalogue.js';
import type { PluginInstances } from './instances/service.js';

export const pluginRouter = (
  catalogue: Catalogue,
  instances: PluginInstances,
  annotations: Annotations,
  actions: SessionActions,
) => [
  ...bind(pluginRoutes, {
    list: () => catalogue.list(),
    get: ({ params }) => catalogue.get(params.slug),
  }),
  ...bind(pluginInstanceRoutes, {
    list: ({ project, query }) => instances.list(project.projectId, query.enabled),
    create: ({ project, body }) => instances.create(project, body),
    get: ({ project, params }) => instances.get(project.projectId, params.id),
    update: ({ project, params, body }) => instances.update(project.projectId, params.id, body),
    resume: ({ project, params }) => instances.resume(project.projectId, params.id),
    remove: ({ project, params }) => instances.remove(project.projectId, params.id),
  }),
  ...bind(annotationRoutes, {
    ofSession: ({ caller, params }) => annotations.ofSession(caller, params.sessionId),
    ofMessages: ({ caller, body }) => annotations.ofMessages(caller, body.messageIds),
  }),
  ...bind(sessionActionRoutes, {
    list: ({ project, params }) => actions.list(project.projectId, params.id),
    regenerateSummary: ({ project, params }) => actions.regenerateSummary(project, params.id),
  }),
];
