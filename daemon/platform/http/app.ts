/** The Express app: request id, security headers, CORS, the routes of the contract, and one place for errors. */
import express, { type Express, type Request, type RequestHandler, type Router } from 'express';
import { DomainError } from '../../../src/contract/errors.js';
import type { Logger } from '../observability/logger.js';
import { type Answered, type AnsweringRoute, otherRoute } from '../observability/metrics.js';
import { record, requestIdOf, setCorsHeaders, setSecurityHeaders } from './answer-headers.js';
import { type BoundRoute, type Edge, mount } from './bind.js';
import type { ClientAddresses } from './client-addresses.js';
import { errorHandler, type FailureReports } from './errors.js';
import { eventStreamType } from './sse-writer.js';

export interface AppOptions extends FailureReports {
  readonly routes: readonly BoundRoute[];
  readonly edge: Edge;
  /** Routers outside the contract: rooms, health, documentation. */
  readonly routers: readonly Router[];
  readonly addresses: Pick<ClientAddresses, 'addressOf' | 'isProxy'>;
  readonly corsOrigins: readonly string[];
  /** Called for every answer. */
  readonly answered: (answer: Answered) => void;
}

const corsMaxAgeSeconds = 600;
/** An error repeats at most this many characters of a path. */
const shownPathMax = 200;

const requestIds: RequestHandler = (request, response, next) => {
  response.locals.requestId = requestIdOf(request.get('x-request-id'));
  response.setHeader('X-Request-Id', response.locals.requestId);
  next();
};

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses to change anything behind a trailing slash: HTTP clients fold `people/..` to it, and the write would reach what
 * stands above the person.
 */
const refuseFoldedWrites: RequestHandler = (request, _response, next) => {
  const { method, path } = request;
  if (reading.has(method) || path === '/' || !path.endsWith('/')) return next();
  throw new DomainError('route_not_found', {
    message: `There is nothing at ${placeOf(request)}. Write the path without the slash at its end; if an id was to follow, it is empty, or is . or .., which HTTP clients fold out of paths.`,
  });
};

/** The path of the route that answered, as the contract writes it; null: none has. */
function answeringPath({ baseUrl, route }: Request): string | null {
  const path: unknown = route?.path;
  return typeof path === 'string' ? (baseUrl + path).replaceAll(/:(\w+)/g, '{$1}') : null;
}

/** By path. Routes beside the contract are rooms, health and pages. */
const groupsOf = (routes: readonly BoundRoute[]) => {
  const groups = new Map<string, string>(routes.map(({ route }) => [route.path, route.group]));
  return (path: string): string => groups.get(path) ?? (path.startsWith('/rooms/') ? 'Rooms' : otherRoute.group);
};

const requestLog =
  (log: Logger, answered: AppOptions['answered'], groupOf: (path: string) => string): RequestHandler =>
  (request, response, next) => {
    const { method, path } = request;
    const { requestId } = response.locals;
    const isStream = () => String(response.getHeader('content-type')).startsWith(eventStreamType);
    const route = (): AnsweringRoute => {
      const answering = answeringPath(request);
      return answering === null ? otherRoute : { path: answering, group: groupOf(answering) };
    };
    const traceparent = request.get('traceparent');
    record(response, { method, path, requestId, traceparent, isStream, route }, answered, log);
    next();
  };

const security: RequestHandler = (request, response, next) => {
  setSecurityHeaders(request, response);
  next();
};

const cors =
  (origins: readonly string[]): RequestHandler =>
  (request, response, next) => {
    if (!setCorsHeaders(response, request.get('origin'), origins)) return next();
    if (request.method !== 'OPTIONS' || request.get('access-control-request-method') === undefined) return next();
    response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    response.setHeader(
      'Access-Control-Allow-Headers',
      'Authorization, X-API-Key, Content-Type, Idempotency-Key, If-Match, Last-Event-ID, X-Project-Id, X-Request-Id',
    );
    response.setHeader('Access-Control-Max-Age', String(corsMaxAgeSeconds));
    response.status(204).end();
  };

export function createApp({
  routes,
  edge,
  routers,
  addresses,
  corsOrigins,
  log,
  outage,
  answered,
}: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', (address: string) => addresses.isProxy(address));
  // One reader of the header for everybody: that of Express takes an address with its port for another address.
  Object.defineProperty(app.request, 'ip', {
    get(this: Request) {
      return addresses.addressOf(this);
    },
  });
  app.set('query parser', 'simple');
  app.set('etag', false);
  app.use(requestIds, requestLog(log, answered, groupsOf(routes)), security, cors(corsOrigins), refuseFoldedWrites);
  for (const router of routers) app.use(router);
  app.use(mount(routes, edge));
  app.use((request) => {
    throw new DomainError('route_not_found', {
      message: `There is nothing at ${placeOf(request)}. /api/openapi.json lists every path.`,
    });
  });
  app.use(errorHandler({ log, outage }));
  return app;
}

/** Creates the app of the separate listener for monitoring. */
export function createWatchApp(routers: readonly Router[], log: Logger): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(requestIds, ...routers);
  app.use((request) => {
    throw new DomainError('route_not_found', { message: `There is nothing at ${placeOf(request)}.` });
  });
  app.use(errorHandler({ log, outage: () => {} }));
  return app;
}

const placeOf = ({ method, path }: Request): string => `${method} ${path.slice(0, shownPathMax)}`;
