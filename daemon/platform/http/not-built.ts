/**
 * Operations of the API that are not built yet: they answer 501 `not_implemented`. This is the only list; whoever
 * builds an operation removes its line.
 */
import type { Router } from 'express';
import express from 'express';
import { DomainError } from '../../../src/contract/errors.js';
import type { Method } from '../../../src/contract/route.js';
import { allowOnly } from './methods.js';

export const notBuilt: readonly (readonly [Method, string])[] = [
  ['get', '/api/projects/{projectId}/sessions/{id}/actions'],
  ['post', '/api/projects/{projectId}/sessions/{id}/regenerate-summary'],
  ['get', '/api/plugins'],
  ['get', '/api/plugins/{slug}'],
  ['get', '/api/plugins/annotations/sessions/{sessionId}'],
  ['post', '/api/plugins/annotations/messages/batch'],
  ['get', '/api/projects/{projectId}/plugins/instances'],
  ['post', '/api/projects/{projectId}/plugins/instances'],
  ['get', '/api/projects/{projectId}/plugins/instances/{id}'],
  ['put', '/api/projects/{projectId}/plugins/instances/{id}'],
  ['delete', '/api/projects/{projectId}/plugins/instances/{id}'],
];

export function notBuiltRouter(): Router {
  const router = express.Router();
  const refuse = () => {
    throw new DomainError('not_implemented');
  };
  for (const path of new Set(notBuilt.map(([, path]) => path))) {
    const at = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    const methods = notBuilt.filter(([, other]) => other === path).map(([method]) => method);
    for (const method of methods) at[method](refuse);
    at.all(allowOnly(methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))));
  }
  return router;
}
