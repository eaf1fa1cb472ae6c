/**
 * The OpenAPI document: built once for each version of OpenAPI, kept as the bytes that are sent in each encoding; requests
 * for it count against the caller's address.
 */
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { Router } from 'express';
import { z } from 'zod';
import { OpenApiQuery } from '../../../src/contract/openapi-beside.js';
import { programFile } from '../package.js';
import { judgePart } from './bodies/judge-body.js';
import { refuseChanges } from './methods.js';
import type { RateLimits } from './rate-limits.js';

const encodings = ['br', 'gzip'] as const;
const bytes = z.instanceof(Uint8Array).transform((array) => Buffer.from(array));
const Written = z.object({ identity: bytes, br: bytes, gzip: bytes });
type Written = z.infer<typeof Written> & { readonly hash: string };

/** The daemon's own values in the document. */
interface DocumentValues {
  readonly version: string;
  readonly serverUrl: string;
}

type Form = z.output<typeof OpenApiQuery>['version'];

/** Built at the first request, in a thread of its own: it takes a second, which would delay other requests. */
function write(place: DocumentValues, form: Form): Promise<Written> {
  const thread = new Worker(programFile('platform/http/openapi-thread'), { workerData: { ...place, form } });
  return new Promise((resolve, reject) => {
    thread.once('message', (message) => {
      const written = Written.parse(message);
      resolve({ ...written, hash: createHash('sha256').update(written.identity).digest('base64url') });
    });
    thread.on('error', reject);
    thread.once('exit', () => reject(new Error('The OpenAPI document was not made.')));
  });
}

export function openApiRouter(place: () => DocumentValues, limits: RateLimits): Router {
  const router = Router();
  const written = new Map<Form, Promise<Written>>();
  const writtenAs = (form: Form): Promise<Written> => {
    const known = written.get(form);
    if (known !== undefined) return known;
    const making = write(place(), form).catch((error: unknown) => {
      written.delete(form);
      throw error;
    });
    written.set(form, making);
    return making;
  };
  router.all('/api/openapi.json', refuseChanges);
  router.get('/api/openapi.json', async (request, response) => {
    await limits.count(null, request.ip ?? '', response);
    const { version } = judgePart(OpenApiQuery, 'query', request.query) as z.output<typeof OpenApiQuery>;
    const { hash, ...bodies } = await writtenAs(version);
    const encoding = encodings.find((one) => one === request.acceptsEncodings([...encodings])) ?? 'identity';
    response.set({ 'Cache-Control': 'no-cache', 'Content-Type': 'application/json; charset=utf-8' });
    response.set('ETag', `"${hash}${encoding === 'identity' ? '' : `-${encoding}`}"`).vary('Accept-Encoding');
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.send(bodies[encoding]);
  });
  return router;
}
