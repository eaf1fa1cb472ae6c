/** How this browser shows the console. Nothing of it is a secret, so it is kept in local storage. */
import { useSyncExternalStore } from 'react';

interface Preferences {
  readonly language: 'en' | 'de';
  readonly density: 'compact' | 'comfortable';
  /** Minutes without a touch before the console locks; 0: never. */
  readonly lockMinutes: number;
  /** A decision leads to the next case. */
  readonly advances: boolean;
  /** Beside what can be done stands the command that does the same. */
  readonly showsCommands: boolean;
}

const key = 'earshot-console-preferences';
const listeners = new Set<() => void>();
const usual: Preferences = {
  language: navigator.language.startsWith('de') ? 'de' : 'en',
  density: 'compact',
  lockMinutes: 30,
  advances: false,
  showsCommands: false,
};

function read(): Preferences {
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(key) ?? '{}') };
  } catch {
    return usual;
  }
}
let current = read();

function change(fields: Partial<Preferences>): void {
  current = { ...current, ...fields };
  localStorage.setItem(key, JSON.stringify(current));
  for (const listener of listeners) listener();
}
addEventListener('storage', (event) => {
  if (event.key !== key) return;
  current = read();
  for (const listener of listeners) listener();
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const usePreferences = (): readonly [Preferences, (fields: Partial<Preferences>) => void] => [
  useSyncExternalStore(subscribe, () => current),
  change,
];
