/**
 * Who is signed in. The user token stays in this module's memory; the browser keeps the session by a cookie that no page can
 * read. Every tab has a token of its own for the same session.
 */

import { useSyncExternalStore } from 'react';
import { EarshotClient } from '../../../src/client/earshot-client.js';
import { ApiError } from '../../../src/client/errors.js';
import { byFetch, type Transport } from '../../../src/client/transport.js';
import { accountRoutes, type LoginResponse, type UserProfile } from '../../../src/contract/identity/accounts.js';
import {
  type ConsoleLogin,
  consoleHeaders,
  consoleSessionRoutes,
} from '../../../src/contract/identity/console-sessions.js';
import { basePath, baseUrl } from '../../base.js';
import { comeBack, goAway, settle, takeBack } from '../parts/held.js';
import { IntentClient } from './intents.js';
import { tabs } from './tabs.js';

export type SessionState =
  | { readonly kind: 'starting' }
  /** Another page has led here with a one-time code. `isOver`: nobody may continue the session that this browser has. */
  | { readonly kind: 'asked'; readonly code: string; readonly isOver: boolean }
  /** Nobody is signed in. `problem`: why an attempt to sign in failed. */
  | { readonly kind: 'out'; readonly problem: string | null }
  | { readonly kind: 'in'; readonly user: UserProfile }
  /** The session ended or was locked while the page was in use: what was typed is still there. */
  | { readonly kind: 'interrupted'; readonly user: UserProfile; readonly because: 'ended' | 'locked' };

/** The daemon's clock differs from this machine's by so many milliseconds. */
let clockSkewMs = 0;
let state: SessionState = { kind: 'starting' };
let token: string | null = null;
let renewal: ReturnType<typeof setTimeout> | undefined;
/** Counts locks and ends of the session: what began before the latest of them lets nobody in after it. */
let generation = 0;
const listeners = new Set<() => void>();

function become(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useSession = (): SessionState => useSyncExternalStore(subscribe, () => state);
export const useClockSkewMs = (): number => useSyncExternalStore(subscribe, () => clockSkewMs);
/** The daemon's time, as far as it is known. */
export const daemonNow = (): number => Date.now() + clockSkewMs;

/** Renewals come this long before the token ends. */
const earlyMs = 180_000;
/** After an attempt that the daemon did not answer. */
const againMs = 10_000;
/** A difference below this is the way of the answer, and the whole seconds of the header Date. */
const skewMinMs = 5_000;

function noteClock(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now();
  if (Number.isNaN(difference)) return;
  const skew = Math.abs(difference) < skewMinMs ? 0 : difference;
  if (Math.abs(skew - clockSkewMs) < skewMinMs) return;
  clockSkewMs = skew;
  for (const listener of listeners) listener();
}

/** Sends with the token of the session; one that has ended is renewed, and the request sent again, unless the console was locked. */
const bySession: Transport = async (url, request) => {
  const [sent, begun] = [token, generation];
  const send = () =>
    byFetch(url, {
      ...request,
      headers: { ...request.headers, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
    });
  const answer = await send();
  noteClock(answer.headers.get('date'));
  if (answer.status !== 401 || sent === null) return answer;
  if (token === sent) await renew();
  return begun === generation ? send() : answer;
};

/** Calls the daemon as whoever is signed in. */
export const client = new IntentClient({ baseUrl, transport: bySession });
/** Calls the daemon as nobody. */
export const stranger = new EarshotClient({ baseUrl });

/** Lets in whoever the daemon names. False: the console was locked since it was asked, and the login is ended. */
async function admit(ask: () => Promise<ConsoleLogin>): Promise<boolean> {
  const begun = generation;
  const login = await ask();
  if (begun === generation) signedIn(login);
  else await endSession(login.accessToken).catch(() => {});
  return begun === generation;
}

function signedIn({ accessToken, expiresIn, user }: ConsoleLogin): void {
  token = accessToken;
  renewAfter(expiresIn * 1_000 - earlyMs);
  // Somebody else continues: nothing of the one before may stay on the screen.
  if ('user' in state && state.user.id !== user.id) {
    takeBack(); // it would be sent as theirs
    location.assign(`${baseUrl}/console`);
    return;
  }
  become({ kind: 'in', user });
  comeBack();
}

function interrupted(because: 'ended' | 'locked'): void {
  generation += 1;
  token = null;
  renewing = null;
  clearTimeout(renewal);
  goAway();
  if (state.kind === 'in') become({ kind: 'interrupted', user: state.user, because });
  else if (state.kind === 'starting') become({ kind: 'out', problem: null });
}

/** Tabs renew in turn, so that each sends the cookie that the one before has got. */
const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request('earshot-console-renewal', work) : work();

let renewing: Promise<boolean> | null = null;
/** False: the session has ended, or the console was locked meanwhile. Throws DaemonUnreachable. */
function renew(): Promise<boolean> {
  renewing ??= renewInTurn();
  return renewing;
}

async function renewInTurn(): Promise<boolean> {
  const begun = generation;
  try {
    return await inTurn(async () => {
      if (begun !== generation) return false;
      return admit(() => stranger.call(consoleSessionRoutes.renew, { headers: consoleHeaders }));
    });
  } catch (error) {
    if (begun !== generation) return false;
    if (error instanceof ApiError && !error.isPassing) {
      interrupted('ended');
      return false;
    }
    if (state.kind !== 'interrupted') renewAfter(againMs);
    throw error;
  } finally {
    if (begun === generation) renewing = null;
  }
}

function renewAfter(ms: number): void {
  clearTimeout(renewal);
  renewal = setTimeout(() => void renew().catch(() => {}), ms);
}

/** Opens a session of this browser in place of a user token. */
export async function openSession(logIn: () => Promise<LoginResponse>): Promise<void> {
  const isIn = await admit(async () => {
    const { accessToken } = await logIn();
    const credential = { kind: 'bearer', token: accessToken } as const;
    const login = new EarshotClient({ baseUrl, credential });
    return login.call(consoleSessionRoutes.create, { headers: consoleHeaders });
  });
  if (!isIn) return;
  localStorage.removeItem(endingKey);
  tabs.send({ kind: 'signed-in' });
}

export const signInByPassword = async (body: { email: string; password: string; code?: string }): Promise<void> =>
  openSession(() => stranger.call(accountRoutes.loginCredentials, { body }));

/** Returns the one-time code of the address, and takes it out of the address. */
function takeCode(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) history.replaceState(null, '', location.pathname + location.search);
  return code;
}

/**
 * True where a person has opened the address, or a program of theirs such as `earshot console`: the daemon passes on what the
 * browser says (Sec-Fetch-Site). Another page could sign this browser in as somebody else, to see what is done here.
 */
const isOpenedByHand = (): boolean => document.documentElement.dataset.site === 'none';

/** @param takes false: the code is left, and whoever was signed in goes on, if anybody may */
export async function answerCode(takes: boolean): Promise<void> {
  if (state.kind !== 'asked') return;
  const { code, isOver } = state;
  become({ kind: 'starting' });
  await begin(takes ? code : null, isOver);
}

/** @param isOver nobody may continue the session that this browser has, such as after a time without a touch */
export async function startSession(isOver: boolean): Promise<void> {
  const code = takeCode();
  if (code !== null && !isOpenedByHand()) become({ kind: 'asked', code, isOver });
  else await begin(code, isOver);
}

async function begin(code: string | null, isOver: boolean): Promise<void> {
  try {
    if (isOver || localStorage.getItem(endingKey) !== null) await endLeftOver();
    if (code !== null)
      await admit(() => stranger.call(consoleSessionRoutes.redeemCode, { headers: consoleHeaders, body: { code } }));
    else if (!isOver) await renew();
    else become({ kind: 'out', problem: null });
  } catch (error) {
    become({ kind: 'out', problem: error instanceof Error ? error.message : String(error) });
  }
}

/** Stands in local storage while the daemon may not know that the session of this browser has ended. */
const endingKey = `earshot-console-ending${basePath}`;

/** Ends the session in the daemon, with its streams. Throws where that cannot be said now; the next start says it. */
async function endSession(accessToken: string): Promise<void> {
  localStorage.setItem(endingKey, '1');
  const credential = { kind: 'bearer', token: accessToken } as const;
  try {
    await new EarshotClient({ baseUrl, credential }).call(accountRoutes.logout, {});
  } catch (error) {
    if (!(error instanceof ApiError) || error.isPassing) throw error; // otherwise it has ended already
  }
  localStorage.removeItem(endingKey);
}

/** Ends a session that a page before could not end. Throws DaemonUnreachable. */
async function endLeftOver(): Promise<void> {
  try {
    const { accessToken } = await stranger.call(consoleSessionRoutes.renew, { headers: consoleHeaders });
    await endSession(accessToken);
  } catch (error) {
    if (!(error instanceof ApiError) || error.isPassing) throw error;
    localStorage.removeItem(endingKey);
  }
}

/** The page stays as it is behind the lock, and is hidden at once. */
export async function lock(): Promise<void> {
  const ended = endSession(token ?? '').catch(() => {});
  interrupted('locked');
  tabs.send({ kind: 'locked' });
  await ended;
}

/** Not where a decision that waited is refused: it is shown first. */
export async function signOut(): Promise<void> {
  if (!(await settle())) return;
  await endSession(token ?? '').catch(() => {});
  tabs.send({ kind: 'signed-out' });
  location.assign(`${baseUrl}/console`);
}

tabs.listen((message) => {
  if (message.kind === 'signed-out') location.assign(`${baseUrl}/console`);
  if (message.kind === 'locked') interrupted('locked');
  if (message.kind === 'signed-in' && state.kind !== 'in') void renew().catch(() => {});
});
