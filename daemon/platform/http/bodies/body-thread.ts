/**
 * The thread that unpacks, parses and judges large bodies, one at a time. It answers with the value in pieces, each when
 * it is asked for it, or with the refusal.
 */
import { parentPort } from 'node:worker_threads';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { ErrorCode } from '../../../../src/contract/error-catalogue.js';
import { DomainError, type ErrorDetail } from '../../../../src/contract/errors.js';
import { allRoutes } from '../../../../src/contract/routes.js';
import type { Encoding } from './encodings.js';
import { hashOfBody, judgeBody } from './judge-body.js';
import { cut, type Piece } from './pieces.js';

export interface BodyJob {
  readonly operationId: string;
  readonly bytes: Uint8Array;
  readonly encoding: Encoding | null;
  readonly bytesMax: number;
}

/** The first answer to a job; `pieces` more can be asked for. */
export type BodyAnswer =
  | { readonly hash: string; readonly value: unknown; readonly ignored: string; readonly pieces: number }
  | { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetail[] | undefined };

const routes = new Map(allRoutes.map((route) => [route.operationId, route]));
const unpack = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync } as const;
let rest: Piece[] = [];

/** Throws body_too_large, validation_failed. */
function unpacked({ bytes, encoding, bytesMax }: BodyJob): Buffer {
  if (encoding === null) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return unpack[encoding](bytes, { maxOutputLength: bytesMax });
  } catch (error) {
    if (error instanceof RangeError) throw new DomainError('body_too_large');
    throw new DomainError('validation_failed', { message: `The body is not compressed with ${encoding}.` });
  }
}

function answerTo(job: BodyJob): BodyAnswer {
  try {
    const bytes = unpacked(job);
    const route = routes.get(job.operationId);
    const judged = route === undefined ? { value: undefined, ignored: '' } : judgeBody(route, bytes);
    const { value, pieces } = cut(judged.value);
    rest = [...pieces];
    return { hash: hashOfBody(bytes), value, ignored: judged.ignored, pieces: rest.length };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
}

parentPort?.on('message', (job: BodyJob | null) => {
  parentPort?.postMessage(job === null ? rest.shift() : answerTo(job));
});
