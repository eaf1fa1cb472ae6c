/**
 * Sessions of the console: a browser stays signed in by a cookie that its pages cannot read, and gets short-lived user tokens
 * for it. Each renewal replaces the cookie.
 */
import { z } from 'zod';
import { Id, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';
import { LoginResponse } from './accounts.js';

export const consoleSessionsMax = 20;
/** Only a page of the daemon itself can send it: another origin would have to ask first, and is refused. */
export const consoleHeaders = { 'x-earshot-console': '1' } as const;

const ConsoleSession = z
  .object({
    id: z.string(),
    device: z.string().describe('Browser, as it names itself'),
    network: z.string().describe('Address from which it was last used, or the network of an IPv6 one'),
    current: z.boolean().describe('True for the session that asks'),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    expiresAt: Timestamp.describe('When it ends unless it is used'),
  })
  .meta({ id: 'ConsoleSession' });
export type ConsoleSession = z.infer<typeof ConsoleSession>;

export const ConsoleLogin = LoginResponse.extend({ session: ConsoleSession }).meta({ id: 'ConsoleLogin' });
export type ConsoleLogin = z.infer<typeof ConsoleLogin>;

export const ConsoleCode = z
  .object({ code: z.string().describe('Opens one session, once'), expiresAt: Timestamp })
  .meta({ id: 'ConsoleCode' });
const RedeemConsoleCodeRequest = z
  .object({ code: z.string().min(1).max(2048).describe('From `createConsoleCode`') })
  .meta({ id: 'RedeemConsoleCodeRequest' });

const group = 'Health and login';
const headers = z.object({
  'x-earshot-console': z.literal('1').describe('Shows that the request comes from a page of the daemon'),
});
const cookie =
  'The answer sets the cookie `earshot_console`, on https `__Host-earshot_console`, there below a path `__Secure-earshot_console` (HttpOnly, SameSite=Strict). The header Origin must name the daemon.';

export const consoleSessionRoutes = {
  create: defineRoute({
    operationId: 'createConsoleSession',
    summary: 'Open a session of the console in this browser, in place of the user token.',
    description: `The user token of the call ends, and the answer has another one. ${cookie}`,
    group,
    method: 'post',
    path: '/api/auth/console/sessions',
    auth: ['bearer'],
    headers,
    success: { status: 201, body: ConsoleLogin },
    errors: ['console_origin_refused'],
    idempotencyKey: false,
  }),
  renew: defineRoute({
    operationId: 'renewConsoleSession',
    summary: "Exchange the console's cookie for a new one and a user token of fifteen minutes.",
    description: `A cookie that was replaced more than 30 seconds ago ends the session, because somebody else may have it. ${cookie}`,
    group,
    method: 'post',
    path: '/api/auth/console/renew',
    auth: [],
    headers,
    success: { status: 201, body: ConsoleLogin },
    errors: ['console_origin_refused', 'console_session_invalid', 'console_session_reused'],
    idempotencyKey: false,
  }),
  list: defineRoute({
    operationId: 'listConsoleSessions',
    summary: 'List the browsers in which your account is signed in to the console.',
    group,
    method: 'get',
    path: '/api/auth/console/sessions',
    auth: ['bearer'],
    success: { status: 200, body: z.array(ConsoleSession) },
    errors: [],
  }),
  revoke: defineRoute({
    operationId: 'revokeConsoleSession',
    summary: 'Sign a browser out of the console at once, and close its streams.',
    group,
    method: 'delete',
    path: '/api/auth/console/sessions/{consoleSessionId}',
    auth: ['bearer'],
    params: z.object({ consoleSessionId: Id.describe('Session of the console') }),
    success: { status: 204 },
    errors: ['console_session_not_found'],
  }),
  createCode: defineRoute({
    operationId: 'createConsoleCode',
    summary: 'Create a code that opens the console signed in as you, once, within a minute.',
    group,
    method: 'post',
    path: '/api/auth/console/codes',
    auth: ['bearer'],
    success: { status: 201, body: ConsoleCode },
    errors: [],
    idempotencyKey: false,
  }),
  redeemCode: defineRoute({
    operationId: 'redeemConsoleCode',
    summary: 'Exchange a code for a session of the console in this browser.',
    description: cookie,
    group,
    method: 'post',
    path: '/api/auth/console/codes/redeem',
    auth: [],
    headers,
    body: RedeemConsoleCodeRequest,
    success: { status: 201, body: ConsoleLogin },
    errors: ['console_origin_refused', 'console_code_invalid'],
    idempotencyKey: false,
  }),
};
