/**
 * A decision that one key has made: it is held for some seconds, in which it can be taken back, and only then sent. One is
 * held at a time; another one sends it at once.
 */
import { useSyncExternalStore } from 'react';
import type { Command } from './copy.js';

export interface HeldAction {
  /** What was decided, and about whom. */
  readonly label: string;
  readonly line: Command;
  readonly send: () => Promise<unknown>;
  /** Called after it was sent or refused. */
  readonly onSettled: () => void;
}

export interface Held {
  /** `until`: by `performance.now()`; null: it is being sent. */
  readonly current: { readonly action: HeldAction; readonly until: number | null } | null;
  readonly refused: { readonly action: HeldAction; readonly message: string } | null;
}

const holdMs = 5_000;

let held: Held = { current: null, refused: null };
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function become(next: Partial<Held>): void {
  held = { ...held, ...next };
  for (const listener of listeners) listener();
}
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useHeld = (): Held => useSyncExternalStore(subscribe, () => held);

const isWaiting = (): boolean => typeof held.current?.until === 'number';

export function hold(action: HeldAction): void {
  sendNow();
  become({ current: { action, until: 0 } });
  goOn();
}

/** The time stands still, for whoever needs longer to read. */
export function pause(): void {
  if (held.current === null || !isWaiting()) return;
  clearTimeout(timer);
  become({ current: { ...held.current, until: Number.POSITIVE_INFINITY } });
}

/** It begins anew. */
export function goOn(): void {
  if (held.current === null || !isWaiting()) return;
  clearTimeout(timer);
  become({ current: { ...held.current, until: performance.now() + holdMs } });
  timer = setTimeout(sendNow, holdMs);
}

/** Nothing is sent. */
export function takeBack(): void {
  if (!isWaiting()) return;
  clearTimeout(timer);
  become({ current: null });
}

export const dismiss = (): void => become({ refused: null });

export function sendNow(): void {
  if (held.current === null || !isWaiting()) return;
  clearTimeout(timer);
  const sending = { action: held.current.action, until: null };
  become({ current: sending });
  void send(sending.action).then((refused) => {
    become({ ...(held.current === sending ? { current: null } : {}), ...(refused === null ? {} : { refused }) });
    sending.action.onSettled();
  });
}

async function send(action: HeldAction): Promise<Held['refused']> {
  try {
    await action.send();
    return null;
  } catch (error) {
    return { action, message: error instanceof Error ? error.message : String(error) };
  }
}

// Whoever closes the page is asked first: what waits would never be sent.
addEventListener('beforeunload', (event) => {
  if (isWaiting()) event.preventDefault();
});
