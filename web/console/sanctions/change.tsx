import { Button, Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import type { Sanction } from '../../../src/contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { spanOf } from '../../../src/text/span.js';
import { useProject } from '../frame/project.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { isoTime } from '../parts/iso-time.js';
import { fieldError, Refusal } from '../parts/refusal.js';
import { secondsOf } from '../parts/seconds.js';
import { offerUndo } from '../parts/undo.js';
import { useIntent } from '../parts/use-intent.js';
import { client, daemonNow } from '../session/session.js';
import { useWords } from '../words/words.js';
import { undoOfRevocations } from './taken-back.js';

type Changeable = Pick<Sanction, 'id' | 'endAt' | 'type'>;

/** Revokes a sanction, or has it end at another time. */
export function Change({ sanction }: { readonly sanction: Changeable }) {
  const words = useWords();
  const { params } = useProject();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const { id } = sanction;
  const revoke = useIntent({
    mutationFn: async () => {
      const revoked = await client.call(sanctionRoutes.revoke, {
        params: { ...params, id },
        body: reason === '' ? {} : { reason },
      });
      const undo = undoOfRevocations(params, [revoked], words.done.revoked(words.sanctions.types[revoked.type]));
      if (undo !== null) offerUndo(undo);
    },
    onSuccess: () => void queries.invalidateQueries(),
  });
  return (
    <div className="form">
      <ChangeEnd sanction={sanction} />
      <TextInput
        label={words.sanctions.revokeReason}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={fieldError(revoke.error, 'reason')}
      />
      <Refusal error={revoke.error} fields={['reason']} />
      <div className="buttons">
        <Button color="red" onClick={() => revoke.start()} loading={revoke.isPending}>
          {words.sanctions.revoke}
        </Button>
      </div>
      <CliLine line={commandLine('sanctions', 'revoke', id, ['--reason', reason])} />
    </div>
  );
}

/** Shows the rest of the time. Only an end that was typed or chosen can be stored. */
function ChangeEnd({ sanction: { id, endAt, type } }: { readonly sanction: Changeable }) {
  const words = useWords();
  const { params } = useProject();
  const queries = useQueryClient();
  /** null: nobody has touched it. */
  const [typed, setTyped] = useState<string | null>(null);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const left = useMemo(
    () => (endAt === null ? '' : spanOf(Math.max(0, Math.round((Date.parse(endAt) - daemonNow()) / 1_000)))),
    [endAt],
  );
  const rest = typed ?? left;
  const isEndless = chosen ?? endAt === null;
  const seconds = secondsOf(rest);
  const end = typeof seconds === 'number' ? isoTime(new Date(daemonNow() + seconds * 1_000)) : undefined;
  const isTouched = isEndless ? endAt !== null : typed !== null;
  const change = useIntent({
    mutationFn: async (next: string | null) => {
      const update = (at: string | null) =>
        client.call(sanctionRoutes.update, { params: { ...params, id }, body: { endAt: at } });
      await update(next);
      offerUndo({
        label: words.done.changed(words.sanctions.types[type]),
        run: () => update(endAt),
      });
    },
    onSuccess: () => {
      setTyped(null);
      setChosen(null);
      void queries.invalidateQueries();
    },
  });
  const next = isEndless ? null : end;
  const isReady = isTouched && next !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) change.start(next);
  };
  return (
    <form className="form" onSubmit={submit}>
      <div className="pair">
        <TextInput
          label={words.sanctions.change}
          description={words.sanctions.changeHint}
          disabled={isEndless}
          value={isEndless ? '' : rest}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={isTouched && next === undefined ? words.durationWrong : fieldError(change.error, 'endAt')}
        />
        <div>
          <Button type="submit" variant="default" loading={change.isPending} disabled={!isReady} mt={42}>
            {words.save}
          </Button>
        </div>
      </div>
      <Checkbox
        label={words.sanctions.untilRevoked}
        checked={isEndless}
        onChange={(event) => setChosen(event.currentTarget.checked)}
      />
      <Refusal error={change.error} fields={['endAt']} />
      <CliLine
        line={commandLine(
          ...['sanctions', 'update', id],
          isEndless
            ? ['--clear', 'endAt']
            : ['--end-at', end === undefined ? 'TIME' : `in ${rest.replaceAll(/\s/g, '')}`],
        )}
      />
    </form>
  );
}
