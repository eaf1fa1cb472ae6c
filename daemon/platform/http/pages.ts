/**
 * The pages for browsers: the start page, the room, an invitation, the console, and the API's own. Each is a file with a strict content security policy; nothing is loaded from another host.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type RequestHandler, type Router } from 'express';
import { greetingOf } from '../greeting.js';
import { packageFolder } from '../package.js';
import type { Platform } from '../platform.js';
import { refuseChanges } from './methods.js';
import { hashedAssets } from './page-assets.js';

const written = join(packageFolder, 'web', 'assets');
const builtPages = join(packageFolder, 'dist', 'web');

interface PolicyOptions {
  /** Sources of styles besides the daemon. */
  readonly style?: string;
  /** Sends its form to the daemon. */
  readonly form?: boolean;
  readonly further?: readonly string[];
}

/** No inline script or style, no frame, no other host. */
export const contentPolicy = ({ style = '', form = false, further = [] }: PolicyOptions = {}): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${style}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action '${form ? 'self' : 'none'}'`,
    "frame-ancestors 'none'",
    ...further,
  ].join('; ');

/** Returns a reader of a page of the build, whose links then begin with the path of the public address. */
export function builtPage(name: string, basePath: string): () => string {
  let read: string | undefined;
  return () => {
    read ??= readFileSync(join(builtPages, name, 'index.html'), 'utf8').replaceAll(
      /(?<= (?:href|src)=")(?:\.\.)?(?=\/)/g,
      basePath,
    );
    return read;
  };
}

const noDevices = 'microphone=(), camera=(), geolocation=()';

/** Whether a person opened the page or another page led to it (Fetch Metadata, section 2.3); empty: the browser does not say. */
const siteOf = (site = ''): string =>
  ['none', 'same-origin', 'same-site', 'cross-site'].find((one) => one === site) ?? '';

/** Mantine writes its variables into a style element, so each answer has a nonce of its own for styles. */
function consolePage(basePath: string): RequestHandler {
  const read = builtPage('console', basePath);
  return (request, response) => {
    const nonce = randomBytes(16).toString('base64');
    const further = ["font-src 'self'", "media-src 'self' blob:", "worker-src 'self'"];
    response
      .set({
        'Cache-Control': 'no-store',
        'Content-Security-Policy': contentPolicy({ style: ` 'nonce-${nonce}'`, further }),
      })
      .set({ 'Permissions-Policy': noDevices })
      .type('html')
      .send(
        read()
          .replaceAll('__NONCE__', nonce)
          .replace('__SITE__', siteOf(request.get('sec-fetch-site'))),
      );
  };
}

/** @param publicUrl the address that links begin with, `basePath` its path */
export function pageRouter({ publicUrl, basePath }: Pick<Platform, 'publicUrl' | 'basePath'>): Router {
  const router = express.Router();
  const page = (
    name: string,
    headers: Readonly<Record<string, string>> = {},
    further: readonly string[] = [],
  ): RequestHandler => {
    const read = builtPage(name, basePath);
    return (_request, response) =>
      void response
        .set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': contentPolicy({ further }), ...headers })
        .type('html')
        .send(read());
  };
  const files = { index: false, redirect: false, cacheControl: false };
  router.all(['/', '/rooms/:roomId', '/invitation', '/docs'], refuseChanges);
  router.use(['/assets', '/console'], refuseChanges);
  router.use('/assets', hashedAssets(builtPages), (_request, response, next) => {
    response.set('Cache-Control', 'no-cache');
    next();
  });
  router.use('/assets', express.static(written, files));
  router.use('/assets/viewer', express.static(join(builtPages, 'viewer'), files));
  router.get(
    '/rooms/:roomId',
    page('room', { 'Permissions-Policy': 'microphone=(self), camera=(), geolocation=()' }, [
      "worker-src 'self'",
      "media-src 'self'",
    ]),
  );
  const home = page('home');
  router.get('/', (request, response, next) => {
    response.vary('Accept');
    // Programs that accept anything get JSON; browsers name HTML first.
    if (request.accepts('json', 'html') === 'html') home(request, response, next);
    else response.set('Cache-Control', 'no-cache').json(greetingOf(publicUrl()));
  });
  router.get('/invitation', page('invitation'));
  router.get(['/console', '/console/*path'], consolePage(basePath));
  router.get('/docs', page('docs'));
  return router;
}
