/**
 * Reads the bytes of a body. A sender keeps a pace: never some seconds without a byte, and in all as many a second as every
 * line carries. So half a body is let go soon, and a large one over a slow line is read.
 */
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../../../src/contract/errors.js';
import { bodyInCrumbs, crumbsEvent } from '../crumbs.js';

interface Pace {
  /** Longest time without a byte, and how much later than by its pace a body may come. */
  readonly pauseMs: number;
  readonly bytesPerSecond: number;
}

const paceDefault: Pace = { pauseMs: 5_000, bytesPerSecond: 32 * 1024 };

interface BodyLimits {
  readonly bytesMax: number;
  /** Called when more than `freeBytes` have come; the sender waits meanwhile. null: all bytes may be kept. */
  readonly reserve: (() => Promise<void>) | null;
  readonly freeBytes: number;
  readonly pace?: Pace;
}

/** Keeps what came in one buffer: a sender may cut a body into single bytes, and each would be an object of its own. */
class Gathered {
  private bytes = Buffer.alloc(0);
  private end = 0;

  constructor(private readonly lengthMax: number) {}

  get length(): number {
    return this.end;
  }

  add(chunk: Buffer): void {
    const needed = this.end + chunk.length;
    if (needed > this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.min(this.lengthMax, Math.max(needed, 2 * this.bytes.length)));
      this.bytes.copy(grown, 0, 0, this.end);
      this.bytes = grown;
    }
    chunk.copy(this.bytes, this.end);
    this.end = needed;
  }

  all(): Buffer {
    return this.bytes.subarray(0, this.end);
  }
}

/**
 * Throws body_too_large, malformed_request (chunks of a few bytes), request_timeout (also where the client has gone), and
 * whatever `reserve` throws.
 */
export function readBytes(
  request: IncomingMessage,
  { bytesMax, freeBytes, reserve, pace = paceDefault }: BodyLimits,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const gathered = new Gathered(bytesMax);
    const beganAtMs = performance.now();
    let cameAtMs = beganAtMs;
    let isReserved = reserve === null;
    let isOver = false;
    let timer: NodeJS.Timeout;
    const finish = (end: () => void): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      request
        .off('data', onData)
        .off('end', onEnd)
        .off('close', onClose)
        .off('error', onClose)
        .off(crumbsEvent, onCrumbs);
      request.resume(); // the rest, if any, is read and dropped for as long as the connection lingers
      end();
    };
    const fail = (error: unknown): void => finish(() => reject(error));
    const onEnd = () => finish(() => resolve(gathered.all()));
    const onClose = () => fail(new DomainError('request_timeout'));
    const onCrumbs = () => fail(bodyInCrumbs());
    const onData = (chunk: Buffer): void => {
      if (gathered.length + chunk.length > bytesMax) fail(new DomainError('body_too_large'));
      else keep(chunk);
    };
    const keep = (chunk: Buffer): void => {
      gathered.add(chunk);
      cameAtMs = performance.now();
      if (isReserved || reserve === null || gathered.length <= freeBytes) return;
      isReserved = true;
      request.pause();
      reserve().then(() => void (isOver || request.resume()), fail);
    };
    const judgePace = (): void => {
      const paidForMs = (gathered.length / pace.bytesPerSecond) * 1_000;
      const leftMs = Math.min(cameAtMs, beganAtMs + paidForMs) + pace.pauseMs - performance.now();
      if (leftMs <= 0) fail(new DomainError('request_timeout'));
      else timer = setTimeout(judgePace, leftMs);
    };
    timer = setTimeout(judgePace, pace.pauseMs);
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose).on(crumbsEvent, onCrumbs);
  });
}
