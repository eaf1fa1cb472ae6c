/** What was decided and is not sent yet, and what was done last, each with the way back. */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useWords } from '../words/all-words.js';
import { CliLine } from './copy.js';
import { dismiss, goOn, type HeldDecision, pause, sendNow, takeBack } from './held.js';
import { useKeys } from './keys.js';
import { Refusal } from './refusal.js';
import { type Undoable, withdrawUndo } from './undo.js';
import { useIntent } from './use-intent.js';

interface HeldBarsProps extends HeldDecision {
  readonly undoable: Undoable | null;
}

export default function HeldBars({ current, refused, undoable }: HeldBarsProps) {
  const words = useWords().undoable;
  return (
    <>
      {current !== null && <Current {...current} />}
      {undoable !== null && current === null && <Done key={undoable.label} act={undoable} />}
      {refused !== null && (
        <div className="case-bar held-bar" role="alert">
          <bdi className="bad">{words.refused(refused.action.label, refused.message)}</bdi>
          <Button size="compact-sm" variant="default" onClick={dismiss}>
            {words.dismiss}
          </Button>
        </div>
      )}
    </>
  );
}

function Current({ action: { label, line }, until }: NonNullable<HeldDecision['current']>) {
  const words = useWords().undoable;
  useKeys(until === null ? {} : { z: takeBack, Enter: sendNow });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: focus only stops the time
    <div className="case-bar held-bar" onFocus={pause} onBlur={goOn}>
      <span role="status">
        <bdi>{words.decided(label)}</bdi>
      </span>
      {until !== null && (
        <>
          <Button size="compact-sm" variant="default" onClick={takeBack}>
            {words.undo} {until !== Number.POSITIVE_INFINITY && <Seconds until={until} />} <kbd>z</kbd>
          </Button>
          <Button size="compact-sm" variant="default" onClick={sendNow}>
            {words.send} <kbd>Enter</kbd>
          </Button>
        </>
      )}
      <CliLine line={line} />
    </div>
  );
}

function Done({ act }: { readonly act: Undoable }) {
  const words = useWords().undoable;
  const queries = useQueryClient();
  const undo = useIntent({
    mutationFn: act.run,
    onSuccess: withdrawUndo,
    onSettled: () => queries.invalidateQueries(),
  });
  useKeys(undo.isPending ? {} : { z: () => undo.start() });
  return (
    <div className="case-bar held-bar">
      <span role="status">
        <bdi>{act.label}</bdi>
      </span>
      <Button size="compact-sm" variant="default" loading={undo.isPending} onClick={() => undo.start()}>
        {words.undo} <kbd>z</kbd>
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={withdrawUndo}>
        {words.dismiss}
      </Button>
      <Refusal error={undo.error} />
    </div>
  );
}

const tickMs = 250;
const secondsUntil = (until: number): number => Math.max(0, Math.ceil((until - performance.now()) / 1_000));

function Seconds({ until }: { readonly until: number }) {
  const [left, setLeft] = useState(() => secondsUntil(until));
  useEffect(() => {
    const ticking = setInterval(() => setLeft(secondsUntil(until)), tickMs);
    return () => clearInterval(ticking);
  }, [until]);
  return <span className="number">{left} s</span>;
}
