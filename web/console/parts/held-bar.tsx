/** Says over every page what was decided and is not sent yet, and what can be taken back. Its texts are loaded once there is something to say. */
import { lazy, Suspense } from 'react';
import { useHeld } from './held.js';
import { useUndoable } from './undo.js';

const HeldBars = lazy(() => import('./held-bars.js'));

export default function HeldBar() {
  const held = useHeld();
  const undoable = useUndoable();
  if (held.current === null && held.refused === null && undoable === null) return null;
  return (
    <Suspense fallback={null}>
      <HeldBars {...held} undoable={undoable} />
    </Suspense>
  );
}
