/** Health, metrics, and the OpenAPI document: beside the contract, for machines that watch. */
import express, { type Router } from 'express';
import type { Registry } from 'prom-client';

export interface Health {
  /** Names of what is not ready; empty when all is well. */
  problems(): Promise<readonly string[]>;
}

export function observabilityRouter(health: Health, metrics: Registry | null, openApi: unknown): Router {
  const router = express.Router();
  router.get('/health/live', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/health/ready', async (_request, response) => {
    const problems = await health.problems();
    response
      .status(problems.length === 0 ? 200 : 503)
      .json({ status: problems.length === 0 ? 'ok' : 'not ready', problems });
  });
  router.get('/api/openapi.json', (_request, response) => {
    response.json(openApi);
  });
  if (metrics !== null) {
    router.get('/metrics', async (_request, response) => {
      response.type(metrics.contentType).send(await metrics.metrics());
    });
  }
  return router;
}
