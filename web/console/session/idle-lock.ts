/** Locks the console when nobody has touched any of its tabs for a while: for desks that several people use. */
import { useEffect } from 'react';
import { usePreferences } from '../frame/preferences.js';
import { lock, useSession } from './session.js';
import { tabs } from './tabs.js';

const checkMs = 5_000;
const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

export function useIdleLock(): void {
  const { kind } = useSession();
  const [{ lockMinutes }] = usePreferences();
  useEffect(() => {
    if (kind !== 'in' || lockMinutes === 0) return;
    let touchedAt = Date.now();
    const touched = () => {
      // Other tabs need not know of each move.
      if (Date.now() - touchedAt > checkMs) tabs.send({ kind: 'active' });
      touchedAt = Date.now();
    };
    for (const sign of signs) addEventListener(sign, touched, { passive: true });
    const deaf = tabs.listen((message) => {
      if (message.kind === 'active') touchedAt = Date.now();
    });
    const timer = setInterval(() => {
      if (Date.now() - touchedAt > lockMinutes * 60_000) void lock();
    }, checkMs);
    return () => {
      for (const sign of signs) removeEventListener(sign, touched);
      deaf();
      clearInterval(timer);
    };
  }, [kind, lockMinutes]);
}
