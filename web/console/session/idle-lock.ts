/** Locks the console when nobody has touched any of its tabs for a while: for desks that several people use. */
import { useEffect } from 'react';
import { usePreferences } from '../frame/preferences.js';
import { lock, useSession } from './session.js';

const checkMs = 5_000;
/** Not every move of a pointer is written down. */
const noteMs = 1_000;
/** In local storage, for all tabs and for those that are opened later. */
const touchKey = 'earshot-console-touched';

const lastTouch = (): number => Number(localStorage.getItem(touchKey) ?? 0);
const noteTouch = (): void => localStorage.setItem(touchKey, String(Date.now()));

/** True if nobody has touched the console for that time; false where nobody ever has, or it never locks. */
export const hasBeenIdle = (minutes: number): boolean =>
  minutes !== 0 && lastTouch() !== 0 && Date.now() - lastTouch() > minutes * 60_000;

const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

export function useIdleLock(): void {
  const { kind } = useSession();
  const [{ lockMinutes }] = usePreferences();
  useEffect(() => {
    if (kind !== 'in' || lockMinutes === 0) return;
    noteTouch();
    // A machine that slept wakes with a touch: the time is looked at before.
    const isOver = (): boolean => {
      if (!hasBeenIdle(lockMinutes)) return false;
      void lock();
      return true;
    };
    const touched = () => {
      if (!isOver() && Date.now() - lastTouch() > noteMs) noteTouch();
    };
    for (const sign of signs) addEventListener(sign, touched, { passive: true });
    const timer = setInterval(isOver, checkMs);
    return () => {
      for (const sign of signs) removeEventListener(sign, touched);
      clearInterval(timer);
    };
  }, [kind, lockMinutes]);
}
