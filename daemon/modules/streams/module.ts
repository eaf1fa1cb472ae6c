/** Streams: domain events as they happen, over server-sent events, and the trace of each event. */
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Identity } from '../identity/module.js';
import type { ParticipantDirectory } from '../people/directory.js';
import type { ProjectDirectory } from '../projects/directory.js';
import type { Webhooks } from '../webhooks/module.js';
import { SseHub } from './hub.js';
import { streamLimits } from './limits.js';
import { readershipOf } from './permissions.js';
import { eventRouter } from './routes.js';
import { EventTraces } from './trace.js';

interface StreamNeeds {
  readonly identity: Identity;
  readonly projects: ProjectDirectory;
  readonly webhooks: Webhooks;
  readonly participants: ParticipantDirectory;
}

export function streamsModule(platform: Platform, { identity, projects, webhooks, participants }: StreamNeeds): Module {
  const { log, follower, connections, logger } = platform;
  const streams = new SseHub(
    log,
    follower,
    readershipOf(identity, projects.access),
    logger,
    connections.streams,
    streamLimits,
    (...asked) => participants.idsOf(...asked),
  );
  return {
    name: 'streams',
    routes: eventRouter(streams, new EventTraces(log, webhooks.deliveries)),
    parts: [modulePart('streams', streams, { role: 'http', stage: 'connections' })],
    metrics: [{ name: 'event_streams', help: 'Event streams that are open', read: () => streams.size }],
  };
}
