/** Says over every page what was decided and is not sent yet. Its texts are loaded once there is something to say. */
import { lazy, Suspense } from 'react';
import { useHeld } from './held.js';

const HeldBars = lazy(() => import('./held-bars.js'));

export default function HeldBar() {
  const held = useHeld();
  if (held.current === null && held.refused === null) return null;
  return (
    <Suspense fallback={null}>
      <HeldBars {...held} />
    </Suspense>
  );
}
