/** Live figures: of a tenant its rooms, events, deliveries, queues and slow requests; of a project what waits there. */
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import type { GameEvents } from '../game-events/module.js';
import type { RoomCarrier } from '../rooms/carrier.js';
import type { Sessions } from '../sessions/module.js';
import type { Webhooks } from '../webhooks/module.js';
import { ProjectFigureService } from './project-figures.js';
import { figureRouter } from './routes.js';
import { FigureService } from './service.js';

interface FigureNeeds {
  readonly carrier: RoomCarrier;
  readonly sessions: Sessions;
  readonly gameEvents: GameEvents;
  readonly webhooks: Webhooks;
}

export function figuresModule(
  { follower, metrics, storage, now }: Platform,
  { projects, moderation, reports, webhooks: stored }: Records,
  { carrier, sessions, gameEvents, webhooks }: FigureNeeds,
): Module {
  const figures = new FigureService(
    {
      rooms: carrier.rooms,
      projects: projects.store,
      deliveries: webhooks.queue,
      intake: gameEvents.intake,
      bots: sessions.bots,
      quota: storage.quota,
    },
    now,
  );
  const ofProjects = new ProjectFigureService(
    {
      cases: reports.cases,
      reviews: moderation.reviews,
      sanctions: moderation.store,
      subscriptions: stored.subscriptions,
    },
    now,
  );
  metrics.onAnswered((answer) => figures.answered(answer));
  let unsubscribe = (): void => {};
  const counting = {
    start: () => {
      unsubscribe = follower.onEvents(
        (events) => figures.count(events.map(({ event }) => event)),
        (type) => type === 'webhook.delivery.updated',
      );
    },
    stop: () => unsubscribe(),
  };
  return {
    name: 'figures',
    routes: figureRouter(figures, ofProjects),
    parts: [modulePart('count-events', counting, { role: 'http' })],
  };
}
