/** What is done with several sanctions at once: revoke them, or have them end later. Either can be taken back as a whole. */
import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Sanction } from '../../../src/contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { useProject } from '../frame/project.js';
import { Refusal } from '../parts/refusal.js';
import { secondsOf } from '../parts/seconds.js';
import { offerUndo } from '../parts/undo.js';
import { useIntent } from '../parts/use-intent.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import { undoOfRevocations } from './taken-back.js';

interface SeveralProps {
  readonly chosen: readonly Sanction[];
  readonly onClear: () => void;
}

export function Several({ chosen, onClear }: SeveralProps) {
  const words = useWords();
  const texts = words.sanctions;
  const { params } = useProject();
  const queries = useQueryClient();
  const [longer, setLonger] = useState('1d');
  const seconds = secondsOf(longer);
  const active = chosen.filter(({ isActive }) => isActive);
  const ending = active.flatMap(({ id, endAt }) => (endAt === null ? [] : [{ id, endAt }]));
  /** Those that were not refused; says how many were. */
  const each = async <Item,>(items: readonly Item[], change: (item: Item) => Promise<Sanction>) => {
    const answers = await Promise.allSettled(items.map(change));
    const done = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refused = items.length - done.length;
    return { done, refusal: refused === 0 ? null : new Error(texts.someRefused(refused, items.length)) };
  };
  const update = (id: string, endAt: string) =>
    client.call(sanctionRoutes.update, { params: { ...params, id }, body: { endAt } });
  const settled = {
    onSettled: () => queries.invalidateQueries(),
    onSuccess: onClear,
  };
  const revoke = useIntent({
    ...settled,
    mutationFn: async () => {
      const { done, refusal } = await each(active, ({ id }) =>
        client.call(sanctionRoutes.revoke, { params: { ...params, id }, body: {} }),
      );
      const undo = undoOfRevocations(params, done, words.done.revokedSome(done.length));
      if (undo !== null) offerUndo(undo);
      if (refusal !== null) throw refusal;
    },
  });
  const extend = useIntent({
    ...settled,
    mutationFn: async (bySeconds: number) => {
      const before = new Map(ending.map(({ id, endAt }) => [id, endAt]));
      const { done, refusal } = await each(ending, ({ id, endAt }) =>
        update(id, new Date(Date.parse(endAt) + bySeconds * 1_000).toISOString()),
      );
      offerUndo({
        label: words.done.extendedSome(done.length),
        run: () => Promise.all(done.map(({ id }) => update(id, before.get(id) ?? ''))),
      });
      if (refusal !== null) throw refusal;
    },
  });
  return (
    <section className="case-bar held-bar" aria-label={texts.selected(chosen.length)}>
      <span role="status">{texts.selected(chosen.length)}</span>
      <Button
        size="compact-sm"
        color="red"
        disabled={active.length === 0}
        loading={revoke.isPending}
        onClick={() => revoke.start()}
      >
        {texts.revokeSelected(active.length)}
      </Button>
      <TextInput
        size="xs"
        w={90}
        aria-label={texts.extendBy}
        value={longer}
        error={seconds === undefined ? words.durationWrong : null}
        onChange={(event) => setLonger(event.currentTarget.value)}
      />
      <Button
        size="compact-sm"
        variant="default"
        disabled={ending.length === 0 || typeof seconds !== 'number'}
        loading={extend.isPending}
        onClick={() => {
          if (typeof seconds === 'number') extend.start(seconds);
        }}
      >
        {texts.extendSelected(ending.length)}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        {texts.selectNone}
      </Button>
      <Refusal error={revoke.error ?? extend.error} />
    </section>
  );
}
