/** Answers to methods that a path does not have: 405, or 204 for OPTIONS, both with `Allow`. */
import { type RequestHandler, Router } from 'express';
import { DomainError } from '../../../src/contract/errors.js';

/** Goes after the handlers of the methods that the path has. */
export const allowOnly =
  (methods: readonly string[]): RequestHandler =>
  (request, response) => {
    response.setHeader('Allow', methods.join(', '));
    if (request.method !== 'OPTIONS') throw new DomainError('method_not_allowed');
    response.status(204).end();
  };

const refuse = allowOnly(['GET', 'HEAD']);

/** Goes before handlers of read-only paths, and lets GET and HEAD through. */
export const refuseChanges: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') next();
  else refuse(request, response, next);
};

/** Applies `refuseChanges` to the paths as a router, for routers without our error handler. */
export const readOnly = (...paths: string[]): Router => Router().all(paths, refuseChanges);
