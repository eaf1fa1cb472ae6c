/**
 * A button that does one thing, with the command that does the same beside it. Actions of the console run through it, or
 * through a form with its command below.
 */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CliLine, type Command, CopyLine } from './copy.js';
import { Dialog } from './dialog.js';
import { type HeldAction, hold, revise, takeBackAbout } from './held.js';
import { useKeys } from './keys.js';
import { Refusal } from './refusal.js';
import './parts.css';
import { offerUndo, type Undoable } from './undo.js';
import { useIntent } from './use-intent.js';

interface ActProps<Result> {
  readonly label: string;
  /** What it is called where the label alone does not say whom it is about. */
  readonly name?: string;
  readonly run: () => Promise<Result>;
  /** What takes the act back once it is done; null: nothing does. */
  readonly undo?: (result: Result) => Undoable | null;
  readonly line: Command;
  /** Asked before it is done; for what cannot be taken back. */
  readonly confirm?: ReactNode;
  /** Id of what it is done about: a decision about the same that waits is taken back. */
  readonly about?: string;
  /** Words for a decision: it is sent after some seconds, in which it can be taken back. Only with `about`. */
  readonly held?: string;
  /** Says what happened instead, where the daemon refuses; null: its message says enough. */
  readonly explain?: (error: unknown) => Promise<string | null>;
  /** A single key that does the same. */
  readonly shortcut?: string;
  readonly tone?: 'red';
  readonly isMain?: boolean;
  readonly isLarge?: boolean;
  readonly disabled?: boolean;
  readonly onDone?: () => void;
  /** Called once the page is no longer needed for it: when it is held, or done. */
  readonly onLeave?: (() => void) | undefined;
  /** Fields of a form beside it, which show their own refusals. */
  readonly fields?: readonly string[];
  readonly onRefused?: (error: unknown) => void;
}

export function Act<Result>({
  label,
  name,
  run,
  undo,
  line,
  confirm,
  about,
  held,
  explain,
  shortcut,
  tone,
  isMain = false,
  isLarge = false,
  disabled = false,
  onDone,
  onLeave,
  fields = [],
  onRefused,
}: ActProps<Result>) {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const send = async () => {
    try {
      const result = await run();
      const undoable = undo?.(result) ?? null;
      if (undoable !== null) offerUndo(undoable);
    } catch (error) {
      const text = await explain?.(error).catch(() => null);
      throw text === undefined || text === null ? error : new Error(text, { cause: error });
    }
  };
  const act = useIntent({
    mutationFn: (asked: { readonly send: () => Promise<void>; readonly onDone: (() => void) | undefined }) =>
      asked.send(),
    // The one of the moment when it was sent: more may have been typed since.
    onSuccess: (_, asked) => {
      setAsking(false);
      asked.onDone?.();
      onLeave?.();
    },
    onError: onRefused,
    // After a refusal, too: somebody else may have been first, and the page shows what they did.
    onSettled: () => queries.invalidateQueries(),
  });
  const decision: HeldAction | null =
    about === undefined || held === undefined
      ? null
      : {
          ...{ about, label: held, line },
          send: async () => {
            await send();
            onDone?.();
          },
          onSettled: () => void queries.invalidateQueries(),
        };
  const waiting = useRef<HeldAction>(null);
  useEffect(() => {
    if (waiting.current !== null) waiting.current = revise(waiting.current, decision);
  });
  const start = () => {
    if (decision !== null) {
      hold(decision);
      waiting.current = decision;
      onLeave?.();
      return;
    }
    if (about !== undefined) takeBackAbout(about);
    if (confirm === undefined) act.start({ send, onDone });
    else setAsking(true);
  };
  const isHeld = decision !== null;
  useEffect(() => {
    // Loaded ahead: it is to be seen also where the line is cut after the decision.
    if (isHeld) void import('./held-bars.js').catch(() => {});
  }, [isHeld]);
  useKeys(shortcut === undefined || disabled || act.isPending ? {} : { [shortcut]: start });
  return (
    <span className="act">
      <Button
        size={isLarge ? 'xs' : 'compact-xs'}
        variant={isMain ? 'filled' : 'default'}
        {...(tone === undefined || isMain ? {} : { c: 'var(--bad)' })}
        {...(name === undefined ? {} : { 'aria-label': name })}
        disabled={disabled}
        loading={act.isPending && !isAsking}
        onClick={start}
      >
        {label}
        {shortcut !== undefined && (
          <>
            &nbsp;<kbd>{shortcut}</kbd>
          </>
        )}
      </Button>
      <CopyLine line={line} />
      {!isAsking && <Refusal error={act.error} fields={fields} />}
      <Dialog opened={isAsking} onClose={() => setAsking(false)} title={label}>
        <div className="form">
          <div>{confirm}</div>
          <Refusal error={act.error} />
          <div className="buttons">
            <Button color={tone ?? 'indigo'} loading={act.isPending} onClick={() => act.start({ send, onDone })}>
              {label}
            </Button>
          </div>
          <CliLine line={line} />
        </div>
      </Dialog>
    </span>
  );
}
