/**
 * A short way past Express for routes that the contract marks as hot: the same steps, limits, headers and answers, without
 * looking for the route among hundreds. It knows plain requests only; everything else about a request is left to Express,
 * before anything of its body is read.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import type { Express } from 'express';
import { record, requestIdOf, setSecurityHeaders } from './answer-headers.js';
import type { AppOptions } from './app.js';
import { type BoundRoute, bodyLimitBytesDefault } from './bind.js';
import { refuse } from './errors.js';

type LaneOptions = Pick<AppOptions, 'routes' | 'edge' | 'log' | 'answered'>;
/** Whether the proxy at this distance from the daemon is trusted. */
type TrustsProxy = (address: string, hop: number) => boolean;

const plainJson = /^application\/json(; ?charset=utf-8)?$/i;
const plainLength = /^\d{1,9}$/;
/** Headers that change how a request is read or answered. */
const unusual = ['content-encoding', 'expect', 'origin', 'transfer-encoding', 'upgrade', 'x-api-key'] as const;

function isPlain({ headers, httpVersion }: IncomingMessage, bytesMax: number): boolean {
  const { authorization = '', 'content-type': type = '', 'content-length': length = '' } = headers;
  return (
    httpVersion === '1.1' &&
    authorization.startsWith('Bearer ') &&
    plainJson.test(type) &&
    plainLength.test(length) &&
    Number(length) > 0 &&
    Number(length) <= bytesMax &&
    unusual.every((name) => headers[name] === undefined)
  );
}

/** The client's address as Express finds it: the nearest that is no trusted proxy. */
function addressOf({ headers, socket }: IncomingMessage, trusts: TrustsProxy): string {
  const peer = socket.remoteAddress ?? '';
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',');
  if (forwarded === '') return peer;
  const named = forwarded.split(',').map((address) => address.trim());
  const nearestFirst = [peer, ...named.reverse()];
  return nearestFirst.find((address, hop) => !trusts(address, hop)) ?? nearestFirst.at(-1) ?? peer;
}

/** null: the client has gone. */
const readBody = (request: IncomingMessage): Promise<Buffer | null> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('close', () => resolve(null));
  });

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = Buffer.from(JSON.stringify(body));
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', text.length);
  response.end(text);
}

class Lane {
  private readonly byPlace = new Map<string, BoundRoute>();

  constructor(
    private readonly options: LaneOptions,
    private readonly trusts: TrustsProxy,
  ) {
    for (const bound of options.routes)
      if (bound.route.hot === true) this.byPlace.set(`${bound.route.method.toUpperCase()} ${bound.route.path}`, bound);
  }

  /** false: nothing was done; the request is for Express. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request;
    const [path = '', query = ''] = url.split('?', 2);
    const bound = this.byPlace.get(`${method} ${path}`);
    if (bound === undefined || !isPlain(request, bound.route.bodyLimitBytes ?? bodyLimitBytesDefault)) return false;
    if (url.includes('#') || url.indexOf('?') !== url.lastIndexOf('?')) return false;
    void this.serve(bound, request, response, { path, query });
    return true;
  }

  private async serve(
    bound: BoundRoute,
    request: IncomingMessage,
    response: ServerResponse,
    { path, query }: { readonly path: string; readonly query: string },
  ): Promise<void> {
    const { edge, log, answered } = this.options;
    const { headers, url = '', method = '' } = request;
    const requestId = requestIdOf([headers['x-request-id']].flat()[0]);
    response.setHeader('X-Request-Id', requestId);
    record(response, { method, path, requestId, route: () => bound.route.path }, answered, log);
    setSecurityHeaders(response);
    response.setHeader('Vary', 'Origin');
    const get = (name: string): string | undefined => [headers[name]].flat()[0];
    try {
      const rawBody = await readBody(request);
      if (rawBody === null) return void response.destroy();
      const ip = addressOf(request, this.trusts);
      const arrived = { ip, url, path, headers, params: {}, query: parseQuery(query), get, is: () => 'json' };
      const { status, body } = await bound.handle(edge, { request: arrived, response, rawBody }, requestId);
      sendJson(response, status, body);
    } catch (error) {
      const place = { requestId, method, path };
      refuse(error, place, response, log, (status, body) => sendJson(response, status, body));
    }
  }
}

/** The app, with its hot routes answered past Express. */
export function withLane(app: Express, options: LaneOptions): RequestListener {
  const lane = new Lane(options, app.get('trust proxy fn'));
  return (request, response) => {
    if (!lane.take(request, response)) app(request, response);
  };
}
