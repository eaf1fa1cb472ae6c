/**
 * A decision that one key has made: it is held for some seconds, in which it can be taken back, and only then sent. One is
 * held at a time: another one about the same takes its place, and one about something else sends it at once. Nothing is sent
 * while nobody is signed in, and nothing under another name.
 */
import { useSyncExternalStore } from 'react';
import type { Command } from '../../../src/text/command-line.js';

export interface HeldAction {
  /** Id of what is decided. */
  readonly about: string;
  /** What was decided, and about whom. */
  readonly label: string;
  readonly line: Command;
  readonly send: () => Promise<unknown>;
  /** Called after it was sent or refused. */
  readonly onSettled: () => void;
}

export interface HeldDecision {
  /** `until`: by `performance.now()`; null: it is being sent. */
  readonly current: { readonly action: HeldAction; readonly until: number | null } | null;
  readonly refused: { readonly action: HeldAction; readonly message: string } | null;
}

const holdMs = 5_000;

let held: HeldDecision = { current: null, refused: null };
let isAway = false;
let sending: Promise<boolean> = Promise.resolve(true);
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function become(next: Partial<HeldDecision>): void {
  held = { ...held, ...next };
  for (const listener of listeners) listener();
}
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useHeld = (): HeldDecision => useSyncExternalStore(subscribe, () => held);

/** Ids of what is being decided at the moment, and may still be listed as open. */
const beingSent = new Set<string>();
export const decidedIds = (): ReadonlySet<string> =>
  new Set([...beingSent, ...(held.current === null ? [] : [held.current.action.about])]);

const isWaiting = (): boolean => typeof held.current?.until === 'number';

export function hold(action: HeldAction): void {
  takeBackAbout(action.about);
  sendNow();
  become({ current: { action, until: 0 } });
  goOn();
}

/** What is typed while a decision waits is sent with it; null: it cannot be sent as it is now. Returns what waits. */
export function revise(action: HeldAction, next: HeldAction | null): HeldAction | null {
  if (held.current?.action !== action || !isWaiting()) return null;
  if (next === null) takeBack();
  else become({ current: { ...held.current, action: next } });
  return next;
}

/** The time stands still, for whoever needs longer to read. */
export function pause(): void {
  if (held.current === null || !isWaiting()) return;
  clearTimeout(timer);
  become({ current: { ...held.current, until: Number.POSITIVE_INFINITY } });
}

/** It begins anew. */
export function goOn(): void {
  if (isAway || held.current === null || !isWaiting()) return;
  clearTimeout(timer);
  become({ current: { ...held.current, until: performance.now() + holdMs } });
  timer = setTimeout(sendNow, holdMs);
}

/** Nobody is signed in: the time stands still. */
export function goAway(): void {
  isAway = true;
  pause();
}

/** Whoever decided is back. */
export function comeBack(): void {
  if (!isAway) return;
  isAway = false;
  goOn();
}

/** Nothing is sent. */
export function takeBack(): void {
  if (!isWaiting()) return;
  clearTimeout(timer);
  become({ current: null });
}

/** Something else is done about it. */
export function takeBackAbout(id: string): void {
  if (held.current?.action.about === id) takeBack();
}

export const dismiss = (): void => become({ refused: null });

export function sendNow(): void {
  if (held.current === null || !isWaiting()) return;
  clearTimeout(timer);
  const current = { action: held.current.action, until: null };
  become({ current });
  const sent = send(current.action).then((refused) => {
    become({ ...(held.current === current ? { current: null } : {}), ...(refused === null ? {} : { refused }) });
    current.action.onSettled();
    return refused === null;
  });
  sending = Promise.all([sending, sent]).then((all) => all.every(Boolean));
}

/** Sends what waits, and waits for all answers. False: something was refused since the last time. */
export async function settle(): Promise<boolean> {
  sendNow();
  const isDone = await sending;
  sending = Promise.resolve(true);
  return isDone;
}

async function send(action: HeldAction): Promise<HeldDecision['refused']> {
  beingSent.add(action.about);
  try {
    await action.send();
    return null;
  } catch (error) {
    return { action, message: error instanceof Error ? error.message : String(error) };
  } finally {
    beingSent.delete(action.about);
  }
}

// Whoever closes the page is asked first: what waits would never be sent.
addEventListener('beforeunload', (event) => {
  if (isWaiting()) event.preventDefault();
});
