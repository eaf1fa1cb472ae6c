/** Part of the composition root: what every request passes before it reaches its handler. */
import type { Clock } from '../clock.js';
import type { IngestService } from '../features/events/ingest.js';
import type { IdempotencyStore } from '../features/idempotency/store.js';
import type { ProjectStore } from '../features/projects/store.js';
import { Authentication } from '../http/authentication.js';
import { Authorisation } from '../http/authorisation.js';
import type { Edge } from '../http/bind.js';
import { Idempotency } from '../http/idempotency.js';
import type { RateLimits } from '../http/rate-limits.js';
import type { ComposedAccess } from './access.js';
import type { Gameplay } from './gameplay.js';

interface EdgeNeeds {
  readonly access: ComposedAccess;
  readonly projects: ProjectStore;
  readonly gameplay: Gameplay;
  readonly ingest: IngestService;
  readonly idempotency: IdempotencyStore;
  readonly limits: RateLimits;
  readonly now: Clock;
}

export function composeEdge({ access, projects, gameplay, ingest, idempotency, limits, now }: EdgeNeeds): Edge {
  return {
    authentication: new Authentication({
      userToken: (token) => access.userTokens.verify(token),
      apiKey: (apiKey) => access.apiKeys.verify(apiKey),
      playerToken: async (token) => {
        const player = await gameplay.tokens.caller(token);
        return player !== null && (await projects.tenantOf(player.projectId)) !== null ? player : null;
      },
      signature: (signed) => ingest.verify(signed),
    }),
    authorisation: new Authorisation(access.access),
    idempotency: new Idempotency(idempotency, now),
    limits,
  };
}
