/** The thread that builds the OpenAPI document and posts it once, as text in each encoding. */
import { parentPort, workerData } from 'node:worker_threads';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { openApiDocument } from '../../../src/contract/openapi.js';
import { allRoutes } from '../../../src/contract/routes.js';
import { asVersion30 } from './openapi-30.js';

const Wanted = z.object({ version: z.string(), serverUrl: z.string(), form: z.enum(['3.1', '3.0']) });
const { version, serverUrl, form } = Wanted.parse(workerData);
const document = openApiDocument(allRoutes, version, serverUrl);
const text = JSON.stringify(form === '3.0' ? asVersion30(document) : document);
parentPort?.postMessage({
  identity: Buffer.from(text),
  gzip: gzipSync(text, { level: 9 }),
  // Higher qualities take seconds and save a few per cent.
  br: brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
});
