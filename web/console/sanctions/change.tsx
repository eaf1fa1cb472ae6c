import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Sanction } from '../../../src/contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { useProject } from '../frame/project.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { fieldError, Refusal } from '../parts/refusal.js';
import { secondsOf } from '../parts/seconds.js';
import { client, daemonNow } from '../session/session.js';
import { useWords } from '../words/words.js';

/** Revokes a sanction, or has it end at another time. */
export function Change({ sanction: { id } }: { readonly sanction: Pick<Sanction, 'id'> }) {
  const words = useWords();
  const { params } = useProject();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [rest, setRest] = useState('');
  const onSuccess = () => void queries.invalidateQueries();
  const revoke = useMutation({
    mutationFn: () =>
      client.call(sanctionRoutes.revoke, { params: { ...params, id }, body: reason === '' ? {} : { reason } }),
    onSuccess,
  });
  const seconds = secondsOf(rest);
  const change = useMutation({
    mutationFn: (left: number | null) =>
      client.call(sanctionRoutes.update, {
        params: { ...params, id },
        body: { endAt: left === null ? null : new Date(daemonNow() + left * 1_000).toISOString() },
      }),
    onSuccess,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (seconds !== undefined) change.mutate(seconds);
  };
  return (
    <div className="form">
      <form className="pair" onSubmit={submit}>
        <TextInput
          label={words.sanctions.change}
          description={words.durationHint}
          value={rest}
          onChange={(event) => setRest(event.currentTarget.value)}
          error={seconds === undefined ? words.durationWrong : fieldError(change.error, 'endAt')}
        />
        <div>
          <Button type="submit" variant="default" loading={change.isPending} mt={42}>
            {words.save}
          </Button>
        </div>
      </form>
      <TextInput
        label={words.sanctions.revokeReason}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={fieldError(revoke.error, 'reason')}
      />
      <Refusal error={revoke.error ?? change.error} fields={['reason', 'endAt']} />
      <div className="buttons">
        <Button color="red" onClick={() => revoke.mutate()} loading={revoke.isPending}>
          {words.sanctions.revoke}
        </Button>
      </div>
      <CliLine
        line={commandLine('sanctions', 'update', id, [
          '--end-at',
          rest === '' ? 'TIME' : `in ${rest.replaceAll(/\s/g, '')}`,
        ])}
      />
      <CliLine line={commandLine('sanctions', 'revoke', id, ['--reason', reason])} />
    </div>
  );
}
