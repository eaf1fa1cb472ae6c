/** Health, metrics, and the OpenAPI document: beside the contract, for machines that watch. */
import express, { type Express, type Router } from 'express';
import type { Health } from './health.js';
import type { Metrics } from './metrics.js';

export function healthRouter(health: Health): Router {
  const router = express.Router();
  router.get('/health/live', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/health/ready', async (_request, response) => {
    const problems = await health.problems();
    const isReady = problems.length === 0;
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ok' : 'not ready', problems });
  });
  return router;
}

/** The document is made when somebody first asks for it: that takes a good part of a start. It is kept as it is sent. */
export function openApiRouter(make: () => object): Router {
  const router = express.Router();
  let document: Buffer | null = null;
  router.get('/api/openapi.json', (_request, response) => {
    document ??= Buffer.from(JSON.stringify(make()));
    response.type('json').send(document);
  });
  return router;
}

export function metricsRouter(metrics: Metrics): Router {
  const router = express.Router();
  router.get('/metrics', async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.text());
  });
  return router;
}

/** What a listener of its own serves to machines that watch. */
export const watchApp = (...routers: readonly Router[]): Express =>
  express()
    .disable('x-powered-by')
    .use(...routers);
