import { webhookRoutes } from '../../../src/contract/webhooks.js';
import { bind } from '../../http/bind.js';
import type { WebhookService } from './service.js';

export const webhookRouter = (webhooks: WebhookService) =>
  bind(webhookRoutes, {
    create: ({ project, body }) => webhooks.create(project, body),
    list: ({ project }) => webhooks.list(project.projectId),
    get: ({ project, params }) => webhooks.get(project.projectId, params.id),
    update: ({ project, params, body }) => webhooks.update(project.projectId, params.id, body),
    remove: ({ project, params }) => webhooks.remove(project.projectId, params.id),
    events: ({ project, query }) => webhooks.events(project.projectId, query.status, query.limit, query.offset),
    event: ({ project, params }) => webhooks.event(project.projectId, params.id),
  });
