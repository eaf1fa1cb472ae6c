/** The thread that builds the OpenAPI document and posts it once, as text. */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { openApiDocument } from '../../../src/contract/openapi.js';
import { allRoutes } from '../../../src/contract/routes.js';

const { version, serverUrl } = z.object({ version: z.string(), serverUrl: z.string() }).parse(workerData);
parentPort?.postMessage(JSON.stringify(openApiDocument(allRoutes, version, serverUrl)));
