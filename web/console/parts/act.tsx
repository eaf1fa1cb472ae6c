/** A button that does one thing, with the command that does the same beside it. */
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useWords } from '../words/words.js';
import { CliLine, Copying } from './copy.js';
import { Dialog } from './dialog.js';
import { Refusal } from './refusal.js';
import './parts.css';

interface ActProps {
  readonly label: string;
  readonly run: () => Promise<unknown>;
  readonly line: string;
  /** Asked before it is done; for what cannot be taken back. */
  readonly confirm?: ReactNode;
  readonly tone?: 'red';
  readonly isMain?: boolean;
  readonly disabled?: boolean;
  readonly onDone?: () => void;
}

export function Act({ label, run, line, confirm, tone, isMain = false, disabled = false, onDone }: ActProps) {
  const words = useWords();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const act = useMutation({
    mutationFn: run,
    onSuccess: () => {
      setAsking(false);
      void queries.invalidateQueries();
      onDone?.();
    },
  });
  return (
    <span className="act">
      <Button
        size="compact-xs"
        variant={isMain ? 'filled' : 'default'}
        {...(tone === undefined || isMain ? {} : { c: 'var(--bad)' })}
        disabled={disabled}
        loading={act.isPending && !isAsking}
        onClick={() => (confirm === undefined ? act.mutate() : setAsking(true))}
      >
        {label}
      </Button>
      <Copying value={line} label={words.copyCommand(line)} />
      {!isAsking && <Refusal error={act.error} />}
      <Dialog opened={isAsking} onClose={() => setAsking(false)} title={label}>
        <div className="form">
          <div>{confirm}</div>
          <Refusal error={act.error} />
          <div className="buttons">
            <Button color={tone ?? 'indigo'} loading={act.isPending} onClick={() => act.mutate()}>
              {label}
            </Button>
          </div>
          <CliLine line={line} />
        </div>
      </Dialog>
    </span>
  );
}
