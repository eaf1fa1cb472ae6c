/** The last act that can be taken back, offered over every page for a minute: the button, or `z`, does it. */
import { useSyncExternalStore } from 'react';

export interface Undoable {
  /** What was done, and about whom. */
  readonly label: string;
  readonly run: () => Promise<unknown>;
}

const offeredMs = 60_000;

let last: Undoable | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function become(next: Undoable | null): void {
  last = next;
  for (const listener of listeners) listener();
}

/** Offers to take this act back, instead of the one before. */
export function offerUndo(act: Undoable): void {
  clearTimeout(timer);
  timer = setTimeout(withdrawUndo, offeredMs);
  become(act);
}

export function withdrawUndo(): void {
  clearTimeout(timer);
  become(null);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useUndoable = (): Undoable | null => useSyncExternalStore(subscribe, () => last);
