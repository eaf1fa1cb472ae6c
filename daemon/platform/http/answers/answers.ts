/**
 * Sends answers. Of large ones, each tenant and each address within it may have some under way at the same time: they are
 * written in parts, each when the client has taken the one before, and one that takes nothing is disconnected.
 */
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { z } from 'zod';
import { RestQuery } from '../../../../src/contract/common.js';
import type { Route } from '../../../../src/contract/route.js';
import { limits } from '../../limits/catalogue.js';
import type { ScrapedMetric } from '../../observability/metrics.js';
import { type Head, unsent } from '../answer-headers.js';
import { BodyBudget } from '../bodies/body-budget.js';
import { judgePart } from '../bodies/judge-body.js';
import type { ProjectGrant } from '../caller.js';
import { drained } from '../drained.js';
import { totalHeader } from '../total.js';
import { type FollowingPage, Pages, type Paging, type Query } from './pages.js';

const partBytes = 64 * 1024;
/** Smaller answers arrive no sooner if they are compressed. */
const packedBytesMin = 4 * 1024;
/** Levels above gain a few per cent, and take twice the time. */
const packing = { level: 4 };
const pack = promisify(gzip);
const mebibyte = 1024 * 1024;
const sizes = {
  ...limits.answer_memory.max,
  addressBytes: limits.answer_memory.max.tenantBytes,
  strangersBytes: 4 * mebibyte,
  strangerBytes: mebibyte,
  waitMs: 0,
};

/** Answers that never change, once they were written. */
const unchanging = new WeakMap<object, Buffer | null>();

/** Marks an answer that never changes: it is written once for all requests, not for each anew. */
export function writtenOnce<T extends object>(answer: T): T {
  unchanging.set(answer, null);
  return answer;
}

interface Recipient {
  /** null: somebody without a credential. */
  readonly tenantId: string | null;
  readonly network: string;
}

/** Where an answer goes, and its headers so far. */
interface AnswerTarget {
  readonly response: ServerResponse;
  readonly head: Head;
}

/** A request for a page of a list. */
interface ListRequest {
  readonly place: Paging;
  readonly route: Route;
  readonly project: ProjectGrant | undefined;
  readonly tenantId: string | null;
  readonly request: { readonly url: string; readonly query: unknown };
  readonly head: Head;
}

export class Answers {
  private readonly pages = new Pages();
  private readonly budget = new BodyBudget('answer_memory', sizes);

  /** @param basePath what paths in answers begin with */
  constructor(private readonly basePath: string) {}

  get metrics(): readonly ScrapedMetric[] {
    return [
      {
        name: 'http_answer_bytes',
        help: 'Bytes of large answers that clients have not read yet',
        read: () => this.budget.takenBytes,
      },
      {
        name: 'http_answers_refused',
        help: 'Large answers refused since the start because the client had reached its limit of unread ones',
        type: 'counter',
        read: () => this.budget.refused,
      },
    ];
  }

  /**
   * Reads a page up to its limit of rows or bytes. The header Link says where the list goes on (RFC 8288), as does
   * `nextAfter` where the answer is an object.
   */
  async page(
    { place, route, project, tenantId, request, head }: ListRequest,
    query: unknown,
    readPart: (query: unknown) => Promise<unknown>,
  ): Promise<unknown> {
    const owner = tenantId ?? '';
    const name = `${route.operationId} ${project?.projectId ?? tenantId}`;
    const list = { name, tenantId: owner, cursor: route.cursor ?? ['id'] };
    const { result, next, total } =
      typeof place === 'object'
        ? await this.pages.cut(owner, place, () => readPart(query))
        : place === 'rest'
          ? await this.pages.rest(list, restIn(request.query), () => readPart(query))
          : await this.pages.read(place, list, query as Query, readPart);
    if (total !== undefined && !head.hasHeader(totalHeader)) head.setHeader(totalHeader, String(total));
    if (next !== null) head.setHeader('Link', `<${this.basePath}${placedAt(request.url, next)}>; rel="next"`);
    return result;
  }

  /** `head`: of the response, or headers that are sent with it. Throws rate_limited, overloaded. */
  async sendJson({ response, head }: AnswerTarget, status: number, body: unknown, to: () => Recipient): Promise<void> {
    const written = typeof body === 'object' && body !== null ? unchanging.get(body) : undefined;
    const text = written ? '' : JSON.stringify(body);
    const isPacked = (written?.length ?? text.length) >= packedBytesMin && mayPack(response, head);
    if (!written && text.length <= partBytes && !isPacked) return endWithJson({ response, head }, status, text);
    const whole = written ?? Buffer.from(text);
    if (written === null) unchanging.set(Object(body), whole);
    // Taken by the size before compression: that is what stands in memory until then.
    const giveBack = whole.length > partBytes ? await this.budget.acquire(to(), whole.length) : () => {};
    if (response.destroyed) return giveBack();
    response.once('close', giveBack);
    const bytes = isPacked ? await pack(whole, packing) : whole;
    if (response.destroyed) return;
    if (isPacked) head.setHeader('Content-Encoding', 'gzip');
    writeHead({ response, head }, status, bytes.length);
    if (response.req.method === 'HEAD') return void response.end();
    for (let from = 0; from < bytes.length; from += partBytes) {
      const isTaken = response.write(bytes.subarray(from, from + partBytes));
      if (!isTaken && !(await drained(response))) return;
    }
    response.end();
  }
}

const acceptsGzip = (accepted: string): boolean =>
  accepted.split(',').some((one) => /^\s*(x-)?gzip\s*(;\s*q=(?!0(\.0*)?\s*$)[\d.]+)?\s*$/i.test(one));

/**
 * True where the client reads gzip. Answers to changes are sent as they are: they are short, or belong to hot paths. What is
 * read shows no secret to whoever counts its bytes: a page of another origin cannot send the credential that it takes.
 */
function mayPack({ req: { method, headers } }: ServerResponse, head: Head): boolean {
  if (method !== 'GET') return false;
  head.setHeader('Vary', 'Origin, Accept-Encoding');
  return acceptsGzip(String(headers['accept-encoding'] ?? ''));
}

/** Throws validation_failed. */
const restIn = (query: unknown) => judgePart(RestQuery, 'query', query) as z.output<typeof RestQuery>;

/** Whoever goes on by offset does so on; everybody else goes on by cursor. */
function placedAt(url: string, { after, offset }: FollowingPage): string {
  const at = url.indexOf('?'); // a value may contain another one
  const path = at === -1 ? url : url.slice(0, at);
  const query = new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
  if (query.has('offset') && !query.has('after') && offset !== null) query.set('offset', String(offset));
  else {
    query.delete('offset');
    query.set('after', after);
  }
  return `${path}?${query}`;
}

function writeHead({ response, head }: AnswerTarget, status: number, length: number): void {
  head.setHeader('Content-Type', 'application/json; charset=utf-8');
  head.setHeader('Content-Length', String(length));
  response.writeHead(status, unsent(head));
}

/** Sends a small answer whole. Node sends a text together with the head, and a buffer after it. */
export function endWithJson(target: AnswerTarget, status: number, text: string): void {
  writeHead(target, status, Buffer.byteLength(text));
  target.response.end(text);
}
