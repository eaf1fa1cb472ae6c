/**
 * The pages for browsers: the start page, the room, an invitation, a statement of reasons, the console, and the API's own. Each is a
 * file with a strict content security policy; nothing is loaded from another host.
 */
import { join } from 'node:path';
import express, { type RequestHandler, type Router } from 'express';
import { greetingOf } from '../greeting.js';
import { packageFolder } from '../package.js';
import { consoleRouter } from './console-pages.js';
import { refuseChanges } from './methods.js';

const written = join(packageFolder, 'web', 'assets');
const compiled = join(packageFolder, 'dist', 'web');

/** No inline script or style, no form, no frame, no other host. */
const policy = (further: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...further,
  ].join('; ');

const page =
  (file: string, headers: Readonly<Record<string, string>>): RequestHandler =>
  (_request, response) => {
    response.set({ 'Cache-Control': 'no-cache', ...headers }).sendFile(join(written, file));
  };

/** @param publicUrl the address that links begin with */
export function pageRouter(publicUrl: () => string): Router {
  const router = express.Router();
  const files = { index: false, redirect: false, cacheControl: false };
  router.all(['/', '/rooms/:roomId', '/invitation', '/standing/:code', '/docs'], refuseChanges);
  router.use('/assets', refuseChanges, (_request, response, next) => {
    response.set('Cache-Control', 'no-cache');
    next();
  });
  router.use('/assets', express.static(written, files), express.static(compiled, files));
  router.get(
    '/rooms/:roomId',
    page('room.html', {
      'Content-Security-Policy': policy(["worker-src 'self'", "media-src 'self'"]),
      'Permissions-Policy': 'microphone=(self), camera=(), geolocation=()',
    }),
  );
  const home = page('home.html', { 'Content-Security-Policy': policy([]) });
  router.get('/', (request, response, next) => {
    response.vary('Accept');
    // Programs that accept anything get JSON; browsers name HTML first.
    if (request.accepts('json', 'html') === 'html') home(request, response, next);
    else response.set('Cache-Control', 'no-cache').json(greetingOf(publicUrl()));
  });
  router.get('/invitation', page('invitation.html', { 'Content-Security-Policy': policy([]) }));
  router.use(consoleRouter(join(compiled, 'console')));
  router.get(
    '/standing/:code',
    page('standing.html', { 'Content-Security-Policy': policy([]), 'X-Robots-Tag': 'noindex' }),
  );
  router.get('/docs', page('docs.html', { 'Content-Security-Policy': policy([]) }));
  return router;
}
