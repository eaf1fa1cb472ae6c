/** What a path answers to methods that it does not know: 405, and 204 to who asks by OPTIONS, both with `Allow`. */
import { type RequestHandler, Router } from 'express';
import { DomainError } from '../../../src/contract/errors.js';

/** Comes behind the handlers of the methods that the path knows. */
export const allowOnly =
  (methods: readonly string[]): RequestHandler =>
  (request, response) => {
    response.setHeader('Allow', methods.join(', '));
    if (request.method !== 'OPTIONS') throw new DomainError('method_not_allowed');
    response.status(204).end();
  };

const refuse = allowOnly(['GET', 'HEAD']);

/** Comes before the handlers of what can only be read, and lets those who read through. */
export const refuseChanges: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') next();
  else refuse(request, response, next);
};

/** The same as a router, for those that know no errors of ours. */
export const readOnly = (...paths: string[]): Router => Router().all(paths, refuseChanges);
