/** Live figures of a tenant: rooms, people, events, deliveries, queues and slow requests. */
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { GameEvents } from '../game-events/module.js';
import type { ProjectDirectory } from '../projects/directory.js';
import type { RoomCarrier } from '../rooms/carrier.js';
import type { Sessions } from '../sessions/module.js';
import type { Webhooks } from '../webhooks/module.js';
import { figureRouter } from './routes.js';
import { FigureService } from './service.js';

interface FigureNeeds {
  readonly projects: ProjectDirectory;
  readonly carrier: RoomCarrier;
  readonly sessions: Sessions;
  readonly gameEvents: GameEvents;
  readonly webhooks: Webhooks;
}

export function figuresModule({ follower, metrics, storage, now }: Platform, needs: FigureNeeds): Module {
  const { projects, carrier, sessions, gameEvents, webhooks } = needs;
  const figures = new FigureService(
    {
      rooms: (projectIds, take) => carrier.sums(projectIds, take),
      projects: (tenantId) => projects.ofTenant(tenantId),
      pendingDeliveries: (tenantId) => webhooks.pending(tenantId),
      waitingGameEvents: () => gameEvents.intake.waiting,
      waitingUtterances: () => sessions.utterancesWaiting(),
      storage: (tenantId) => storage.quota.of(tenantId),
    },
    now,
  );
  metrics.onAnswered((answer) => figures.answered(answer));
  let unsubscribe = (): void => {};
  const counting = {
    start: () => {
      unsubscribe = follower.onEvents((events) => figures.count(events.map(({ event }) => event)));
    },
    stop: () => unsubscribe(),
  };
  return {
    name: 'figures',
    routes: figureRouter(figures),
    parts: [modulePart('count-events', counting, { role: 'http' })],
  };
}
