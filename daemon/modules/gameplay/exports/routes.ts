/** Stored game events, streamed. */
import { gameEventRoutes } from '../../../../src/contract/gameplay/game-event-export.js';
import { type BoundRoute, bind } from '../../../platform/http/bind.js';
import type { EventExport } from './event-export.js';

export const eventExportRouter = (exports: EventExport): BoundRoute[] =>
  bind(gameEventRoutes, {
    export: ({ project: { tenantId, projectId }, query }, { request, response }) =>
      exports.stream({ tenantId, projectId, query, response, isHead: request.method === 'HEAD' }),
  });
