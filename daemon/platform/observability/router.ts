/** Health and metrics: outside the contract, for monitoring. */
import express, { type RequestHandler, type Router } from 'express';
import { networkOf } from '../http/rate-limits.js';
import { limits } from '../limits/catalogue.js';
import { WindowCounter } from '../limits/window-counter.js';
import type { Health } from './health.js';
import type { Metrics } from './metrics.js';

export function healthRouter(health: Health): Router {
  const router = express.Router();
  router.get('/health/live', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/health/ready', async (_request, response) => {
    const [problems, warnings] = await Promise.all([health.problems(), health.warnings()]);
    const isReady = problems.length === 0;
    const status = isReady ? 'ok' : 'not ready';
    response.status(isReady ? 200 : 503).json({ status, problems, ...(warnings.length > 0 ? { warnings } : {}) });
  });
  return router;
}

/** Prometheus asks a few times a minute. */
const reads = { max: limits.metrics.max, windowMs: 10_000 };

/** `gates` decide who may read. */
export function metricsRouter(metrics: Metrics, ...gates: RequestHandler[]): Router {
  const router = express.Router();
  const counter = new WindowCounter('metrics', reads);
  const limited: RequestHandler = (request, _response, next) => {
    counter.consume(networkOf(request.ip ?? ''));
    next();
  };
  router.get('/metrics', limited, ...gates, async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.text());
  });
  return router;
}
