/**
 * Binds the contract to Express. Every request takes the same steps: authenticate, authorise, parse, call the handler,
 * answer. Handlers get parsed values and the caller; they never see Express unless the route writes its own answer.
 */

import type { ServerResponse } from 'node:http';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { DomainError } from '../../../src/contract/errors.js';
import type { Parsed, Result, Route } from '../../../src/contract/route.js';
import { ignoredFieldsHeader } from '../../../src/contract/unknown-fields.js';
import { addTo } from '../collections/add-to.js';
import { writingFor } from '../database/request-record.js';
import type { Idempotency } from '../idempotency/idempotency.js';
import type { SlowReads } from '../limits/slow-reads.js';
import type { StorageQuota } from '../quota/storage-quota.js';
import type { Head } from './answer-headers.js';
import type { Answers } from './answers/answers.js';
import { type Paging, placeOf } from './answers/pages.js';
import type { RouteAnswer, RouteRequest } from './arrived.js';
import { type AuditTrail, isRecorded } from './audit-trail.js';
import type { Authentication } from './authentication.js';
import type { Authorisation } from './authorisation.js';
import { type ArrivingBody, type Bodies, bodyLimitBytesDefault, smallBodyBytes } from './bodies/bodies.js';
import { judgePart, readBody } from './bodies/judge-body.js';
import { underOwnNames } from './bodies/other-names.js';
import type {
  ApiKeyCaller,
  Caller,
  ModeratorCaller,
  PeerCaller,
  PlayerCaller,
  ProjectGrant,
  ServiceCaller,
  UserCaller,
} from './caller.js';
import { CredentialCheck } from './credential-check.js';
import { allowOnly } from './methods.js';
import { PathFinder } from './path-finder.js';
import { networkOf, type RateLimits } from './rate-limits.js';
import { eventStreamType } from './sse-writer.js';
import { refuseUnusableQuery, refuseUnusableText } from './text.js';
import { stateTotal } from './total.js';

type CallerOf<R extends Route> = R['auth'][number] extends never
  ? Caller
  :
      | ('bearer' extends R['auth'][number] ? UserCaller : never)
      | ('apiKey' extends R['auth'][number] ? ApiKeyCaller : never)
      | ('playerToken' extends R['auth'][number] ? PlayerCaller : never)
      | ('roomToken' extends R['auth'][number] ? (R['role'] extends 'moderator' ? ModeratorCaller : PeerCaller) : never)
      | ('streamTicket' extends R['auth'][number] ? UserCaller | ApiKeyCaller : never)
      | ('signature' extends R['auth'][number] ? ServiceCaller : never);

interface Call<R extends Route> extends Parsed<R> {
  readonly caller: CallerOf<R>;
  /** The project of the call, checked; only on routes that state a role or `projectIn`. */
  readonly project: R extends { role: string } | { projectIn: string } ? ProjectGrant : undefined;
  readonly requestId: string;
  /** The caller's address, or the network of an IPv6 one. Attempts are counted by it. */
  readonly remoteNetwork: string;
  /** Refusal of a request beyond the limit of its address, where the route leaves that to the handler; null: within it. */
  readonly overLimit: DomainError | null;
}

interface IncomingCall {
  readonly request: RouteRequest;
  readonly response: ServerResponse;
  /** Headers of the answer. A handler that writes its own answer sends them. */
  readonly head: Head;
}

/** For hot routes that write their own answer. */
export type Outgoing = Pick<IncomingCall, 'response' | 'head'>;

/** For the few routes that write their own answer (streams, files). */
interface ExpressExchange extends IncomingCall {
  readonly request: Request;
  readonly response: Response;
}

type HandlerResult<R extends Route> = Promise<Result<R>> | Result<R> | Promise<void>;
/** Hot routes are also called without Express, so their handlers get nothing of it. */
type Handler<R extends Route> = R extends { readonly hot: true }
  ? (call: Call<R>, outgoing: Outgoing) => HandlerResult<R>
  : (call: Call<R>, exchange: ExpressExchange) => HandlerResult<R>;
type AnyHandler = (call: Call<Route>, arrival: IncomingCall) => HandlerResult<Route>;
type Handlers<Routes extends Record<string, Route>> = { [K in keyof Routes]: Handler<Routes[K]> };

export interface Edge {
  readonly authentication: Authentication;
  readonly authorisation: Authorisation;
  readonly bodies: Bodies;
  readonly answers: Answers;
  readonly idempotency: Idempotency;
  readonly limits: RateLimits;
  readonly quota: Pick<StorageQuota, 'requireSpace'>;
  readonly audit: AuditTrail;
  readonly reads: Pick<SlowReads, 'run'>;
}

/** A route with its handler, ready to be mounted. */
export interface BoundRoute {
  readonly route: Route;
  readonly handle: (edge: Edge, arrival: IncomingCall, requestId: string) => Promise<AddressedAnswer>;
}

interface AddressedAnswer extends RouteAnswer {
  /** null: to somebody without a credential. */
  readonly tenantId: string | null;
}

/** Joins routes and handlers; the types make sure that no route lacks one. */
export const bind = <Routes extends Record<string, Route>>(routes: Routes, handlers: Handlers<Routes>): BoundRoute[] =>
  Object.keys(routes).map((name) => {
    const route = routes[name] as Route;
    const handler = handlers[name as keyof Routes] as unknown as AnyHandler;
    const operation = { route, handler, place: placeOf(route) };
    return { route, handle: (edge, arrival, requestId) => answer(operation, edge, arrival, requestId) };
  });

/** Strangers send nothing that is large. */
export const bodyBytesMaxOf = ({ auth, bodyLimitBytes }: Route): number =>
  bodyLimitBytes ?? (auth.length === 0 ? smallBodyBytes : bodyLimitBytesDefault);

interface Operation {
  readonly route: Route;
  readonly handler: AnyHandler;
  /** By what a list goes on; null: it is none, or has no pages. */
  readonly place: Paging | null;
}

async function answer(
  operation: Operation,
  edge: Edge,
  arrival: IncomingCall,
  requestId: string,
): Promise<AddressedAnswer> {
  const body = edge.bodies.arriving(arrival.response, bodyBytesMaxOf(operation.route));
  try {
    return await answerWith(body, operation, edge, arrival, requestId);
  } finally {
    body.release();
  }
}

/** The body is read once it is known who sends it; a signature is the one credential that covers the body itself. */
async function answerWith(
  arriving: ArrivingBody,
  { route, handler, place }: Operation,
  edge: Edge,
  arrival: IncomingCall,
  requestId: string,
): Promise<AddressedAnswer> {
  const { authorisation, idempotency, audit, answers } = edge;
  const { request } = arrival;
  const signed = route.auth.includes('signature') ? await arriving.bytes(null) : undefined;
  const { caller, overLimit } = await identify(route, edge, arrival, signed);
  const isWhole = arrival.response.req.complete;
  const tenantId = caller.kind === 'anonymous' ? null : caller.tenantId;
  const params = judgePart(route.params, 'params', readParameters(request));
  const named = {
    params,
    headers: request.headers,
    body: async () => readBody(route.body, await arriving.bytes(tenantId)),
  };
  const project = await authorisation.projectOf(route, caller, named);
  edge.quota.requireSpace(route, caller);
  refuseUnusableQuery(request.url);
  const query = judgePart(route.query, 'query', underOwnNames(route.query, filledIn(request.query as object)));
  const headers = judgePart(route.headers, 'headers', request.headers);
  const check = new CredentialCheck(async () => {
    const now = await edge.authentication.authenticate(route, request, signed);
    await authorisation.projectOf(route, now, named);
  });
  const { value: body, ignored, hash } = await arriving.judged(route, request, tenantId);
  // A ticket opens one stream; streams are checked while they are open.
  if (!isWhole && signed === undefined && route.method !== 'get') await check.again();
  if (ignored !== '') arrival.head.setHeader(ignoredFieldsHeader, ignored);
  const remoteNetwork = networkOf(request.ip ?? '');
  const call = { params, query, headers, body, caller, project, requestId, remoteNetwork, overLimit };
  const ask = async (part: unknown) => handler({ ...call, query: part } as Call<Route>, arrival);
  const handle = async (): Promise<RouteAnswer> => {
    const result =
      place === null
        ? await handler(call as Call<Route>, arrival)
        : await answers.page({ place, route, project, tenantId, request, head: arrival.head }, query, ask);
    if (route.method === 'get' && route.success.body !== undefined) stateTotal(arrival.head, result);
    return { status: route.success.status, body: result };
  };
  const run = isRecorded(route, caller)
    ? () =>
        audit.during({ route, caller, project, params, query, body, requestId, address: request.ip ?? null }, handle)
    : handle;
  const once = () => idempotency.once(route, caller, project, request, hash, run);
  // The context makes every promise slower meanwhile; hot routes store through queues that tenants share fairly.
  const isWrite = route.method !== 'get' && route.hot !== true;
  const confirm = async (isWriting: boolean): Promise<void> => {
    // A moderator's token may store its holder as a participant, which would wait for this transaction.
    if (!isWriting || caller.kind !== 'moderator') await check.confirm();
  };
  const inTurn = () => (isWrite && tenantId !== null ? writingFor(tenantId, once, confirm) : once());
  const read = async () => {
    await check.confirm();
    return once();
  };
  const answered = isRead(route) ? await edge.reads.run(tenantId ?? '', route.operationId, read) : await inTurn();
  return { status: answered.status, body: answered.body, tenantId };
}

/** Streams, files and exports are no reads that take turns: they have their own, or go on for long. */
const isRead = ({ method, hot, success }: Route): boolean =>
  method === 'get' && hot !== true && success.status === 200 && success.contentType === undefined;

/** A form sends the fields that nobody filled in, too: `?limit=`. They count as left out. */
const filledIn = (query: object): object =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));

/**
 * The caller, counted against the limits of the credential, or of the address when no credential is valid. Throws
 * rate_limited, unless the route decides itself about requests beyond a limit.
 */
export async function identify(
  route: Route,
  { authentication, limits }: Pick<Edge, 'authentication' | 'limits'>,
  { request, head }: Omit<IncomingCall, 'response'>,
  signed?: Buffer,
): Promise<{ readonly caller: Caller; readonly overLimit: DomainError | null }> {
  const address = request.ip ?? '';
  let caller: Caller;
  try {
    caller = await authentication.authenticate(route, request, signed);
  } catch (refused) {
    await limits.count(null, address, head);
    throw refused;
  }
  try {
    await limits.count(caller, address, head);
  } catch (refused) {
    if (route.judgesOverLimit === true && refused instanceof DomainError) return { caller, overLimit: refused };
    throw refused;
  }
  return { caller, overLimit: null };
}

/** Throws validation_failed for text that no database can hold. */
const readParameters = (request: RouteRequest): Record<string, string> => {
  const params = { ...request.params } as Record<string, string>;
  for (const [name, value] of Object.entries(params)) refuseUnusableText(value, `params.${name}`);
  return params;
};

/**
 * Mounts the routes, with 405 for methods that a known path does not have. Each path has a router of its own, and the
 * request goes to the one of its path: Express would compare it with every path in turn.
 */
export function mount(routes: readonly BoundRoute[], edge: Edge): RequestHandler {
  const byPath = new Map<string, BoundRoute[]>();
  for (const bound of routes) addTo(byPath, bound.route.path, bound);
  const routers = new PathFinder<Router>();
  for (const [path, bounds] of byPath) routers.set(path, routerOf(path, bounds, edge));
  return (request, response, next) => {
    const { path } = request;
    const found = routers.find(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);
    if (found === null) next();
    else found.entry(request, response, next);
  };
}

function routerOf(path: string, bounds: readonly BoundRoute[], edge: Edge): Router {
  const router = Router({ caseSensitive: true, strict: false });
  const at = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
  const allow = bounds.flatMap(({ route }) => methodsOf(route));
  const refuse = allowOnly(allow);
  if (!allow.includes('HEAD')) at.head(refuse);
  for (const { route, handle } of bounds) {
    at[route.method](async (request: Request, response: Response) => {
      const arrival = { request, response, head: response };
      const { status, body, tenantId } = await handle(edge, arrival, response.locals.requestId);
      if (response.headersSent || route.success.contentType !== undefined) return;
      if (body === undefined) return void response.status(status).end();
      const recipient = () => ({ tenantId, network: networkOf(request.ip ?? '') });
      await edge.answers.sendJson(arrival, status, body, recipient);
    });
  }
  at.all(refuse);
  return router;
}

/** HEAD is GET without the body; a stream does not end, so it has no HEAD. */
const methodsOf = ({ method, success }: Route): string[] =>
  method === 'get' && success.contentType !== eventStreamType ? ['GET', 'HEAD'] : [method.toUpperCase()];
