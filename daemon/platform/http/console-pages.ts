/**
 * The console: one page for every address below /console, and the files that its build has compressed. Mantine writes its
 * variables into a style element, so each answer has a nonce of its own for styles; scripts come from files alone.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type RequestHandler, type Router } from 'express';
import { DomainError } from '../../../src/contract/errors.js';
import { refuseChanges } from './methods.js';

/** An error repeats at most this many characters of an address. */
const shownMax = 200;
const noncePlace = '__NONCE__';
const encodings = { br: '.br', gzip: '.gz' } as const;

const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Names end in a hash of the content, so browsers keep the files for good. */
const assets = (folder: string): RequestHandler => {
  const send = express.static(join(folder, 'assets'), {
    ...{ index: false, redirect: false },
    setHeaders: (response, path) => {
      response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      response.vary('Accept-Encoding');
      const [encoding] = Object.entries(encodings).find(([, end]) => path.endsWith(end)) ?? [];
      if (encoding === undefined) return;
      response.setHeader('Content-Encoding', encoding);
      response.type(/\.css\.\w+$/.test(path) ? 'css' : 'js');
    },
  });
  return (request, response, next) => {
    const encoding = request.acceptsEncodings('br', 'gzip', 'identity');
    if ((encoding === 'br' || encoding === 'gzip') && /\.(js|css)$/.test(request.path))
      request.url = request.path + encodings[encoding];
    send(request, response, next);
  };
};

/** @param folder the build of `bin/console.mjs` */
export function consoleRouter(folder: string): Router {
  const router = express.Router();
  let read: string | undefined;
  router.use('/console', refuseChanges);
  router.use('/console/assets', assets(folder), ({ originalUrl }) => {
    throw new DomainError('route_not_found', { message: `There is nothing at ${originalUrl.slice(0, shownMax)}.` });
  });
  router.get(['/console', '/console/*path'], (_request, response) => {
    read ??= readFileSync(join(folder, 'index.html'), 'utf8');
    const nonce = randomBytes(16).toString('base64');
    response
      .set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': policy(nonce) })
      .set({ 'Permissions-Policy': 'microphone=(), camera=(), geolocation=()' })
      .type('html')
      .send(read.replaceAll(noncePlace, nonce));
  });
  return router;
}
