/**
 * The OpenAPI document: built once, kept as the bytes that are sent; requests for it count against the caller's
 * address.
 */
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { Router } from 'express';
import { z } from 'zod';
import { programFile } from '../package.js';
import { refuseChanges } from './methods.js';
import type { RateLimits } from './rate-limits.js';

interface Written {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** The daemon's own values in the document. */
interface DocumentValues {
  readonly version: string;
  readonly serverUrl: string;
}

/** Built at the first request, in a thread of its own: it takes a second, which would delay other requests. */
function write(place: DocumentValues): Promise<Written> {
  const thread = new Worker(programFile('platform/http/openapi-thread'), { workerData: place });
  return new Promise((resolve, reject) => {
    thread.once('message', (message) => {
      const bytes = Buffer.from(z.string().parse(message));
      resolve({ bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` });
    });
    thread.on('error', reject);
    thread.once('exit', () => reject(new Error('The OpenAPI document was not made.')));
  });
}

export function openApiRouter(place: () => DocumentValues, limits: RateLimits): Router {
  const router = Router();
  let written: Promise<Written> | null = null;
  router.all('/api/openapi.json', refuseChanges);
  router.get('/api/openapi.json', async (request, response) => {
    await limits.count(null, request.ip ?? '', response);
    written ??= write(place()).catch((error: unknown) => {
      written = null;
      throw error;
    });
    const { bytes, etag } = await written;
    response.set({ ETag: etag, 'Cache-Control': 'no-cache', 'Content-Type': 'application/json; charset=utf-8' });
    response.send(bytes);
  });
  return router;
}
