/**
 * The bodies of requests: read once the credential is known, within the budget of their owner, and judged by the schema
 * of their route. Small ones are judged where they are, large and packed ones in a thread.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '../../../../src/contract/errors.js';
import type { ScrapedMetric } from '../../observability/metrics.js';
import { BodyBudget } from './body-budget.js';
import { BodyJudge, type JudgedBody } from './body-judge.js';
import { type Encoding, encodingOf } from './encodings.js';
import { hashOfBody, type JudgingRoute, judgeBody } from './judge-body.js';
import { readBytes } from './read-bytes.js';

export const bodyLimitBytesDefault = 256 * 1024;
/** Larger ones are judged in the thread: judging as many bytes takes a millisecond or two at most. */
export const smallBodyBytes = 16 * 1024;
/** Bodies that take no more than the connection itself need no budget: connections are limited. */
const freeBytes = 4 * 1024;

const nothing = Buffer.alloc(0);
const foreignCharset = /;\s*charset\s*=\s*(?!"?utf-?8\b)/i;

/** Length of the body as its sender states it; null: it comes in chunks. */
function statedLength({ headers }: IncomingMessage): number | null {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;
}

/** Content type and headers of a request. */
interface TypedRequest {
  readonly headers: IncomingMessage['headers'];
  is(types: string[]): string | false | null;
}

/** The part of a route that describes its body. */

/** Throws unsupported_media_type. */
function refuseForeignType(request: TypedRequest): void {
  const type = request.headers['content-type'];
  if (type !== undefined && (request.is(['json', '+json']) === false || foreignCharset.test(type)))
    throw new DomainError('unsupported_media_type', { message: 'Send the body as application/json, in UTF-8.' });
}

export class Bodies {
  private readonly budget = new BodyBudget('large_body_memory');
  private readonly judge = new BodyJudge();

  /** @param networkOf the address that a request comes from, or the network of an IPv6 one */
  constructor(private readonly networkOf: (request: IncomingMessage) => string) {}

  get metrics(): readonly ScrapedMetric[] {
    return [
      {
        name: 'http_body_bytes',
        help: 'Bytes of memory reserved for bodies of requests',
        read: () => this.budget.takenBytes,
      },
      {
        name: 'http_bodies_refused',
        help: 'Bodies refused since the start because the memory budget was used up',
        type: 'counter',
        read: () => this.budget.refused,
      },
    ];
  }

  /** The body of the request that is answered; nothing of it is read yet. */
  arriving(response: ServerResponse, bytesMax: number): ArrivingBody {
    return new ArrivingBody(this.budget, this.judge, this.networkOf, response, bytesMax);
  }

  stop(): Promise<void> {
    return this.judge.stop();
  }
}

export class ArrivingBody {
  /** Bytes read so far, kept for a second use: a signature is checked before the body is judged. */
  private raw: Buffer | null = null;
  private giveBack: (() => void) | null = null;
  private isReleased = false;

  constructor(
    private readonly budget: BodyBudget,
    private readonly judge: BodyJudge,
    private readonly networkOf: (request: IncomingMessage) => string,
    private readonly response: ServerResponse,
    private readonly bytesMax: number,
  ) {}

  /**
   * Reads the bytes of a body that is not packed.
   *
   * Throws unsupported_media_type, body_too_large, request_timeout, rate_limited, overloaded.
   *
   * @param tenantId null: of a sender whose credential is not known
   */
  async bytes(tenantId: string | null): Promise<Buffer> {
    if (encodingOf(this.response.req.headers['content-encoding']) !== null)
      throw new DomainError('unsupported_media_type', { message: 'Send the body as it is, without Content-Encoding.' });
    this.raw ??= await this.read(tenantId, null);
    return this.raw;
  }

  /** Throws as `bytes`, and malformed_json, text_not_allowed, validation_failed. */
  async judged(route: JudgingRoute, request: TypedRequest, tenantId: string | null): Promise<JudgedBody> {
    if (route.body === undefined) return this.ignored(request, tenantId);
    if (statedLength(this.response.req) !== 0) refuseForeignType(request);
    const isKnown = tenantId !== null && this.raw === null;
    const encoding = isKnown ? encodingOf(request.headers['content-encoding']) : null;
    const bytes = encoding === null ? await this.bytes(tenantId) : await this.read(tenantId, encoding);
    if (encoding === null && bytes.length <= smallBodyBytes)
      return { ...judgeBody(route, bytes), hash: () => hashOfBody(bytes) };
    return this.judge.judge(tenantId ?? '', {
      operationId: route.operationId,
      bytes,
      encoding,
      bytesMax: this.bytesMax,
    });
  }

  /** A body that the route does not have still tells one request with an Idempotency-Key from another. */
  private async ignored({ headers }: TypedRequest, tenantId: string | null): Promise<JudgedBody> {
    const bytes = headers['idempotency-key'] === undefined ? nothing : await this.bytes(tenantId);
    return { value: undefined, ignored: '', hash: () => hashOfBody(bytes) };
  }

  /** Gives the memory of the body back; to be called once the request is answered. */
  release(): void {
    this.isReleased = true;
    this.giveBack?.();
  }

  private async read(tenantId: string | null, encoding: Encoding | null): Promise<Buffer> {
    const { bytesMax, response } = this;
    const request = response.req;
    const length = statedLength(request);
    if (length === 0) return nothing;
    if (length !== null && length > bytesMax) throw new DomainError('body_too_large');
    const isFree = length !== null && length <= freeBytes && encoding === null;
    // All bytes of a small body have usually come with the head.
    if (isFree && request.complete) return (request.read() as Buffer | null) ?? nothing;
    const reserve = () => this.reserve(tenantId, (length ?? bytesMax) + (encoding === null ? 0 : bytesMax));
    const isUnknown = length === null && encoding === null;
    if (!isFree && !isUnknown) await reserve();
    // HTTP/1.0 knows no interim answers: its client would take this for the answer (RFC 9110, 10.1.1).
    if (request.headers.expect !== undefined && request.httpVersion !== '1.0') response.writeContinue();
    return readBytes(request, { bytesMax: length ?? bytesMax, freeBytes, reserve: isUnknown ? reserve : null });
  }

  private async reserve(tenantId: string | null, bytes: number): Promise<void> {
    const giveBack = await this.budget.acquire({ tenantId, network: this.networkOf(this.response.req) }, bytes);
    if (this.isReleased) giveBack();
    else this.giveBack = giveBack;
  }
}
