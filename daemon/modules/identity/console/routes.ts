import type { Request } from 'express';
import { DomainError } from '../../../../src/contract/errors.js';
import { consoleSessionRoutes } from '../../../../src/contract/identity/console-sessions.js';
import { bind, type Outgoing } from '../../../platform/http/bind.js';
import type { Platform } from '../../../platform/platform.js';
import { cookieOf, readCookie } from './cookie.js';
import type { ConsoleSessionService, Opened } from './service.js';

export function consoleSessionRouter(
  sessions: ConsoleSessionService,
  key: Uint8Array,
  { publicUrl, basePath }: Pick<Platform, 'publicUrl' | 'basePath'>,
) {
  /**
   * Throws console_origin_refused for a page of another origin. A proxy may pass on another name of the daemon than browsers
   * use, so the public address counts as well.
   */
  const requireOwnOrigin = (request: Request): void => {
    const origin = request.get('origin') ?? '';
    const own = [new URL(publicUrl()).origin, `${request.protocol}://${request.get('host') ?? ''}`];
    if (!own.includes(origin)) throw new DomainError('console_origin_refused');
  };
  // The origin has been checked, and browsers say how they came; a cookie that is secure would be lost on http.
  const placeOf = (request: Request) => ({ isSecure: request.get('origin')?.startsWith('https:') === true, basePath });
  const visitOf = (request: Request, network: string) => ({ device: request.get('user-agent') ?? '', network });
  const answered = (request: Request, { head }: Pick<Outgoing, 'head'>, { login, cookie, maxAgeSeconds }: Opened) => {
    head.setHeader('Set-Cookie', cookieOf(key, cookie, maxAgeSeconds, placeOf(request)));
    return login;
  };
  return bind(consoleSessionRoutes, {
    create: async ({ caller, remoteNetwork }, { request, head }) => {
      requireOwnOrigin(request);
      return answered(request, { head }, await sessions.create(caller, visitOf(request, remoteNetwork)));
    },
    renew: async ({ remoteNetwork }, { request, head }) => {
      requireOwnOrigin(request);
      const cookie = readCookie(key, request.get('cookie'), placeOf(request));
      return answered(request, { head }, await sessions.renew(cookie, remoteNetwork));
    },
    list: ({ caller }) => sessions.list(caller),
    revoke: ({ caller, params }) => sessions.revoke(caller, params.consoleSessionId),
    createCode: ({ caller }) => sessions.createCode(caller),
    redeemCode: async ({ body, remoteNetwork }, { request, head }) => {
      requireOwnOrigin(request);
      return answered(request, { head }, await sessions.redeemCode(body.code, visitOf(request, remoteNetwork)));
    },
  });
}
