/**
 * Answers routes that the contract marks as hot without Express: the same steps, limits, headers and answers, in less
 * time and, for a stream, less memory. It handles only plain requests; every other request goes to Express before its
 * body is read.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import type { Express } from 'express';
import type { Route } from '../../../src/contract/route.js';
import { HeaderList, record, requestIdOf, setCorsHeaders, setSecurityHeaders } from './answer-headers.js';
import { endWithJson } from './answers/answers.js';
import type { AppOptions } from './app.js';
import { type BoundRoute, bodyBytesMaxOf } from './bind.js';
import { smallBodyBytes } from './bodies/bodies.js';
import { refuse } from './errors.js';
import { PathFinder } from './path-finder.js';
import { networkOf } from './rate-limits.js';
import { eventStreamType } from './sse-writer.js';

type LaneOptions = Pick<AppOptions, 'routes' | 'edge' | 'addresses' | 'corsOrigins' | 'log' | 'outage' | 'answered'>;

const plainJson = /^application\/json(; ?charset=utf-8)?$/i;
const plainLength = /^\d{1,9}$/;
/** Headers that change how a request is read or answered. */
const unusual = ['content-encoding', 'expect', 'transfer-encoding', 'upgrade'] as const;

const isPlain = ({ headers, httpVersion }: IncomingMessage, route: Route): boolean =>
  httpVersion === '1.1' &&
  unusual.every((name) => headers[name] === undefined) &&
  (route.body === undefined
    ? headers['content-length'] === undefined
    : hasPlainBody(headers, Math.min(smallBodyBytes, bodyBytesMaxOf(route))));

function hasPlainBody(headers: IncomingMessage['headers'], bytesMax: number): boolean {
  const { 'content-type': type = '', 'content-length': length = '' } = headers;
  return plainJson.test(type) && plainLength.test(length) && Number(length) > 0 && Number(length) <= bytesMax;
}

interface LanePlace {
  readonly path: string;
  readonly query: string;
}

/** null: it is to be decoded first, or is no path with a query. */
function placeOf(url: string): LanePlace | null {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  const query = end < 0 ? '' : url.slice(end + 1);
  return query.includes('?') || url.includes('#') || path.includes('%') ? null : { path, query };
}

/** The first, of a header that Node keeps as a list. */
const headerOf = (headers: IncomingMessage['headers'], name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

class Lane {
  /** All routes, so that a hot one takes no request that another one fits better. */
  private readonly byMethod = new Map<string, PathFinder<BoundRoute>>();

  constructor(private readonly options: LaneOptions) {
    for (const bound of options.routes) {
      const method = bound.route.method.toUpperCase();
      const paths = this.byMethod.get(method) ?? new PathFinder();
      paths.set(bound.route.path, bound);
      this.byMethod.set(method, paths);
    }
  }

  /** false: nothing was done; the request is for Express. */
  tryServe(request: IncomingMessage, response: ServerResponse): boolean {
    const { method = '', url = '' } = request;
    const place = placeOf(url);
    const found = place === null ? null : this.byMethod.get(method)?.find(place.path);
    if (!place || found?.entry.route.hot !== true || !isPlain(request, found.entry.route)) return false;
    void this.serve(found.entry, request, response, { ...place, params: found.params });
    return true;
  }

  private async serve(
    { route, handle }: BoundRoute,
    request: IncomingMessage,
    response: ServerResponse,
    { path, query, params }: LanePlace & { readonly params: Record<string, string> },
  ): Promise<void> {
    const { edge, addresses, corsOrigins, log, answered } = this.options;
    const { headers, url = '', method = '' } = request;
    const requestId = requestIdOf(headerOf(headers, 'x-request-id'));
    const head = new HeaderList();
    head.setHeader('X-Request-Id', requestId);
    const isStream = () =>
      route.success.contentType === eventStreamType && response.statusCode === route.success.status;
    const traceparent = headerOf(headers, 'traceparent');
    record(response, { method, path, requestId, traceparent, isStream, route: () => route }, answered, log);
    setSecurityHeaders(request, head);
    setCorsHeaders(head, headers.origin, corsOrigins);
    const get = (name: string): string | undefined => headerOf(headers, name);
    try {
      const ip = addresses.addressOf(request);
      const arrived = { ip, url, path, headers, params, query: parseQuery(query), get, is: () => 'json' };
      const { status, body, tenantId } = await handle(edge, { request: arrived, response, head }, requestId);
      if (route.success.contentType !== undefined) return;
      await edge.answers.sendJson({ response, head }, status, body, () => ({ tenantId, network: networkOf(ip) }));
    } catch (error) {
      const send = (status: number, body: unknown) => endWithJson({ response, head }, status, JSON.stringify(body));
      refuse(error, { requestId, method, path }, { response, head, send }, this.options);
    }
  }
}

/** The app, with its hot routes answered past Express. */
export function withLane(app: Express, options: LaneOptions): RequestListener {
  const lane = new Lane(options);
  return (request, response) => {
    if (!lane.tryServe(request, response)) app(request, response);
  };
}
