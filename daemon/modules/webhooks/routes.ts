import { webhookEventRoutes } from '../../../src/contract/webhooks/webhook-events.js';
import { webhookRoutes } from '../../../src/contract/webhooks/webhooks.js';
import { mayActAs } from '../../platform/http/authorisation.js';
import { bind } from '../../platform/http/bind.js';
import type { Member, ProjectGrant } from '../../platform/http/caller.js';
import { totalHeader } from '../../platform/http/total.js';
import type { DeliveryLog } from './deliveries.js';
import type { WebhookService } from './service.js';

const reader = (caller: Member, project: ProjectGrant) => ({ admin: mayActAs('admin', caller, project, 'webhooks') });

export const webhookRouter = (webhooks: WebhookService, deliveries: DeliveryLog) => [
  ...bind(webhookRoutes, {
    create: ({ project, body }) => webhooks.create(project, body),
    list: ({ project, caller, query }) => webhooks.list(project.projectId, query, reader(caller, project)),
    get: ({ project, caller, params }) => webhooks.get(project.projectId, params.id, reader(caller, project)),
    update: ({ project, params, body }) => webhooks.update(project.projectId, params.id, body),
    remove: ({ project, params }) => webhooks.remove(project.projectId, params.id),
    rotateSecret: ({ project, params, body }) => webhooks.rotateSecret(project.projectId, params.id, body),
    test: ({ project, params }) => webhooks.test(project, params.id),
    replay: ({ project, params, body }) => deliveries.replay(project.projectId, params.id, body),
  }),
  ...bind(webhookEventRoutes, {
    list: async ({ project, query: { limit, offset, after, ...filter } }, { response }) => {
      const { rows, total } = await deliveries.list(project.projectId, filter, { limit, offset, after });
      response.setHeader(totalHeader, total);
      return rows;
    },
    attempts: ({ project }) => deliveries.attempts(project.projectId),
    get: ({ project, params }) => deliveries.get(project.projectId, params.id),
    resend: ({ project, params }) => deliveries.resend(project.projectId, params.id),
  }),
];
