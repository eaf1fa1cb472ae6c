import { DomainError } from '../../../src/contract/errors.js';
import { partialType } from '../../../src/contract/sessions/partial-messages.js';
import { eventRoutes } from '../../../src/contract/streams/event-streams.js';
import { eventTraceRoutes } from '../../../src/contract/streams/event-traces.js';
import { streamTicketRoutes } from '../../../src/contract/streams/stream-tickets.js';
import { isMistypedEvent, noSuchEventType } from '../../../src/names/event-types.js';
import { wrongField, wrongResource } from '../../../src/names/stream-filters.js';
import { writtenOnce } from '../../platform/http/answers/answers.js';
import { bind, type Outgoing } from '../../platform/http/bind.js';
import type { Member } from '../../platform/http/caller.js';
import type { LatestEvents } from './latest.js';
import { eventSchema } from './schema.js';
import type { StreamTickets } from './tickets.js';
import type { EventTraces } from './trace.js';

/** Serves an event stream as the answer. */
interface StreamOpener {
  open(
    request: {
      caller: Member;
      projectId: string | null;
      types: string | undefined;
      resources: string | undefined;
      user: string | undefined;
      fields: string | undefined;
      partials: boolean | undefined;
      begin: { readonly lastEventId: string } | { readonly since: string } | null;
    },
    outgoing: Outgoing,
  ): Promise<void>;
}

/** Throws validation_failed for a type that no event can have, with the nearest ones. */
function refuseUnheard(types: string | undefined, ingested: boolean | undefined, part: 'query' | 'body'): void {
  if (ingested === true) return;
  const patterns = (types ?? '').split(',').map((pattern) => pattern.trim());
  // What people are saying has a type, too, though the log has no event of it.
  const unheard = patterns.find((pattern) => pattern !== '' && pattern !== partialType && isMistypedEvent(pattern));
  if (unheard === undefined) return;
  const message = `${noSuchEventType(unheard)} For a type of platform services, add ingested=true.`;
  throw new DomainError('validation_failed', { message, details: [{ path: `${part}.types`, message }] });
}

/** Throws validation_failed for a resource or a field that no event can have, with the nearest ones. */
function refuseUnmatched(
  { resources, fields, ingested }: Pick<StreamCall['query'], 'resources' | 'fields' | 'ingested'>,
  part: 'query' | 'body',
): void {
  const wrong = { resources: ingested === true ? null : wrongResource(resources), fields: wrongField(fields) };
  for (const [name, message] of Object.entries(wrong))
    if (message !== null)
      throw new DomainError('validation_failed', { message, details: [{ path: `${part}.${name}`, message }] });
}

interface StreamCall {
  readonly caller: Member;
  readonly query: {
    ingested?: boolean | undefined;
    types?: string | undefined;
    resources?: string | undefined;
    user?: string | undefined;
    fields?: string | undefined;
    partials?: boolean | undefined;
    since?: string | undefined;
    'last-event-id'?: string | undefined;
  };
  readonly headers: { 'last-event-id'?: string | undefined };
}

const requestOf = ({ caller, query, headers }: StreamCall, projectId: string | null) => {
  refuseUnheard(query.types, query.ingested, 'query');
  refuseUnmatched(query, 'query');
  return {
    caller,
    projectId,
    types: query.types,
    resources: query.resources,
    user: query.user,
    fields: query.fields,
    partials: query.partials,
    begin: beginOf(headers['last-event-id'] || query['last-event-id'], query.since),
  };
};

/** The last event seen takes precedence over the place where the stream began. Empty counts as absent. */
function beginOf(lastEventId: string | undefined, since: string | undefined) {
  if (lastEventId) return { lastEventId };
  return since ? { since } : null;
}

export function eventRouter(streams: StreamOpener, latest: LatestEvents, traces: EventTraces, tickets: StreamTickets) {
  let schema: ReturnType<typeof eventSchema> | null = null; // made at the first request: it takes a while
  const own = bind(eventRoutes, {
    streamAll: (call, outgoing) => streams.open(requestOf(call, null), outgoing),
    streamProject: (call, outgoing) => streams.open(requestOf(call, call.project.projectId), outgoing),
    list: ({ caller, project, query }) => {
      refuseUnheard(query.types, query.ingested, 'query');
      refuseUnmatched(query, 'query');
      return latest.page(caller, project.projectId, query);
    },
    schema: () => {
      schema ??= writtenOnce(eventSchema());
      return schema;
    },
  });
  const tracing = bind(eventTraceRoutes, {
    trace: ({ project, params }) => traces.trace(project.projectId, params.id),
  });
  const ticketing = bind(streamTicketRoutes, {
    createForAll: ({ caller, body }, { request }) => {
      refuseUnheard(body.types, body.ingested, 'body');
      refuseUnmatched(body, 'body');
      return tickets.create(caller, null, body, request.ip ?? '');
    },
    createForProject: ({ caller, project, body }, { request }) => {
      refuseUnheard(body.types, body.ingested, 'body');
      refuseUnmatched(body, 'body');
      return tickets.create(caller, project.projectId, body, request.ip ?? '');
    },
  });
  return [...own, ...tracing, ...ticketing];
}
