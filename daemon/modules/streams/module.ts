/** Streams: domain events as they happen, over server-sent events, and the trace of each event. */
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import type { Identity } from '../identity/module.js';
import type { Sessions } from '../sessions/module.js';
import type { Webhooks } from '../webhooks/module.js';
import { SseHub } from './hub.js';
import { LatestEvents } from './latest.js';
import { streamLimits } from './limits.js';
import { readershipOf } from './permissions.js';
import { eventRouter } from './routes.js';
import { StreamTicketStore } from './ticket-store.js';
import { StreamTickets } from './tickets.js';
import { EventTraces } from './trace.js';

interface StreamNeeds {
  readonly identity: Identity;
  readonly webhooks: Webhooks;
  readonly sessions: Sessions;
}

export function streamsModule(
  platform: Platform,
  records: Records,
  { identity, webhooks, sessions }: StreamNeeds,
): Module {
  const { database, log, follower, connections, logger, publicUrl, now } = platform;
  const readership = readershipOf(identity, records.projects.access);
  const streams = new SseHub(
    log,
    follower,
    readership,
    logger,
    connections.streams,
    streamLimits,
    records.people.directory,
    sessions.partials,
  );
  const tickets = new StreamTickets({ store: new StreamTicketStore(database), identity, publicUrl, now });
  return {
    name: 'streams',
    verifiers: { streamTicket: (ticket, request) => tickets.use(ticket, request) },
    routes: eventRouter(
      streams,
      new LatestEvents(log, readership, records.people.directory),
      new EventTraces(log, webhooks.deliveries),
      tickets,
    ),
    parts: [modulePart('streams', streams, { role: 'http', stage: 'connections' })],
    metrics: [{ name: 'event_streams', help: 'Event streams that are open', read: () => streams.size }],
  };
}
