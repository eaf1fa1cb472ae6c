import { commandRow } from '../../src/cli/command/row.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';

export default {
  attempts: commandRow({
    route: webhookEventRoutes.attempts,
    description: webhookEventRoutes.attempts.description,
    examples: [''],
  }),
  disable: commandRow({
    route: webhookRoutes.update,
    summary: 'Disable a webhook subscription; its events are held for 7 days.',
    examples: ['SUBSCRIPTION'],
    args: { webhook: nameArgument('webhook') },
    body: { enabled: false },
  }),
  enable: commandRow({
    route: webhookRoutes.update,
    summary: 'Enable a webhook subscription; the events held for it are sent.',
    examples: ['SUBSCRIPTION'],
    args: { webhook: nameArgument('webhook') },
    body: { enabled: true },
  }),
  events: commandRow({
    route: webhookEventRoutes.list,
    examples: ['--status failed', '--webhook hooks.example --since yesterday'],
    columns: ['eventType', 'status', 'attemptsCount', 'lastError', 'nextAttemptAt', 'createdAt', 'id', 'eventId'],
  }),
  get: commandRow({
    route: webhookRoutes.get,
    examples: ['SUBSCRIPTION'],
    args: { webhook: nameArgument('webhook') },
  }),
};
