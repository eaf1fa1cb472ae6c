/** Game events in bulk: taken, and streamed as they were stored. */
import { gameEventRoutes } from '../../../src/contract/gameplay/game-event-export.js';
import { type BoundRoute, bind } from '../../platform/http/bind.js';
import type { EventExport } from './event-export.js';
import { type EventIntake, projectKeys } from './intake.js';
import { resultOf } from './result.js';

export const gameEventRouter = (intake: EventIntake, exports: EventExport): BoundRoute[] =>
  bind(gameEventRoutes, {
    import: async ({ project: { tenantId, projectId }, headers, body }) => {
      const by = { tenantId, projectId, keyScope: projectKeys, playerId: null };
      const outcomes = await intake.submitAll(by, body.events, headers['idempotency-key'] ?? null, body.sent_at);
      return { results: outcomes.map(resultOf) };
    },
    export: ({ project: { tenantId, projectId }, query }, { request, response }) =>
      exports.stream({ tenantId, projectId, query, response, isHead: request.method === 'HEAD' }),
  });
