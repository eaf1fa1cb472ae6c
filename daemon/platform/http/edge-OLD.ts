/** Part of the composition root: what every request passes before it reaches its handler. */

import type { Gameplay } from '../../modules/gameplay/module.js';
import type { ComposedAccess } from '../../modules/identity/module.js';
import type { IngestService } from '../../modules/ingest/ingest.js';
import type { ProjectStore } from '../../modules/projects/store.js';
import type { Clock } from '../clock.js';
import { Idempotency } from '../idempotency/idempotency.js';
import type { IdempotencyStore } from '../idempotency/store.js';
import { Authentication } from './authentication.js';
import { Authorisation } from './authorisation.js';
import type { Edge } from './bind.js';
import type { RateLimits } from './rate-limits.js';

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
