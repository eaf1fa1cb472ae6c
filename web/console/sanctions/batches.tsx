/** Many sanctions at once: one JSON object a line, tried before they are imposed, and taken back together. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useMemo, useState } from 'react';
import { judge, problemLines } from '../../../src/contract/judge.js';
import {
  type AppliedSanctions,
  batchItemsMax,
  sanctionBatchRoutes,
} from '../../../src/contract/moderation/sanction-batches.js';
import { CreateSanctionRequest } from '../../../src/contract/moderation/sanctions.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { PlainTable } from '../parts/plain-table.js';
import { Refusal } from '../parts/refusal.js';
import { secondsOf } from '../parts/seconds.js';
import { Time } from '../parts/time.js';
import { useRead } from '../parts/use-read.js';
import { client } from '../session/session.js';
import { useWords } from '../words/all-words.js';

const badShown = 50;

interface Lines {
  readonly items: readonly CreateSanctionRequest[];
  /** Such as `3: duration: must be a whole number`. */
  readonly bad: readonly string[];
}

/** Reads what is typed: durations may be written as 10m. */
function linesOf(text: string): Lines {
  const items: CreateSanctionRequest[] = [];
  const bad: string[] = [];
  for (const [index, line] of text.trimEnd().split('\n').entries()) {
    if (text.trim() === '') break;
    try {
      const { duration, ...rest } = JSON.parse(line) as Record<string, unknown>;
      const seconds = typeof duration === 'string' ? (secondsOf(duration) ?? duration) : duration;
      const judged = judge(CreateSanctionRequest, seconds === undefined ? rest : { ...rest, duration: seconds });
      if (judged.success) items.push(judged.data);
      else bad.push(...problemLines(judged.problems, 'line').map((problem) => `${index + 1}: ${problem}`));
    } catch (error) {
      bad.push(`${index + 1}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (items.length > batchItemsMax) bad.push(`${items.length} > ${batchItemsMax}`);
  return { items, bad };
}

export default function Batches() {
  const words = useWords();
  const own = words.batches;
  const { params, may } = useProject();
  const { data, error } = useRead(sanctionBatchRoutes.list, { params, query: { limit: 50 } }, { after: ['sanction.'] });
  return (
    <div className="stack">
      {may('moderator') && <NewBatch />}
      <Refusal error={error} />
      <PlainTable
        head={[own.batch, own.sanctions, own.active, words.created, words.actions]}
        rows={(data?.batches ?? []).map(({ batchId, sanctions, active, createdAt, undoneAt }) => [
          <bdi key="name">{batchId}</bdi>,
          sanctions,
          active,
          <Time key="at" at={createdAt} />,
          undoneAt !== null
            ? own.undone
            : may('moderator') && (
                <Act
                  key="undo"
                  label={own.undo}
                  tone="red"
                  confirm={own.undoText(active)}
                  run={() => client.call(sanctionBatchRoutes.undo, { params: { ...params, id: batchId }, body: {} })}
                  line={commandLine('sanctions', 'undo', batchId)}
                />
              ),
        ])}
        empty={own.noBatches}
      />
      <CliLine line={commandLine('sanctions', 'batches')} />
    </div>
  );
}

function NewBatch() {
  const own = useWords().batches;
  const { params } = useProject();
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const [name, setName] = useState('');
  const { items, bad } = useMemo(() => linesOf(text), [text]);
  const send = useMutation({
    mutationFn: (dryRun: boolean) =>
      client.call(sanctionBatchRoutes.apply, {
        params,
        body: { items: [...items], dryRun, ...(name === '' ? {} : { batchId: name }) },
      }),
    onSuccess: ({ dryRun }) => {
      if (!dryRun) void queries.invalidateQueries();
    },
  });
  const change = (next: string) => {
    setText(next);
    send.reset();
  };
  const onDrop = async (event: DragEvent) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file !== undefined) change(await file.text());
  };
  const isTried = send.data?.dryRun === true && send.data.refused === 0;
  return (
    <div className="form">
      <Textarea
        label={own.lines}
        description={own.linesText}
        rows={6}
        autosize={false}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={onDrop}
      />
      <TextInput label={own.batch} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      {bad.slice(0, badShown).map((one) => (
        <p className="bad" key={one}>
          {one}
        </p>
      ))}
      {bad.length > badShown && <p className="bad">… {bad.length}</p>}
      <Refusal error={send.error} />
      {send.data !== undefined && <Outcome answer={send.data} />}
      <div className="buttons">
        <Button
          variant="default"
          disabled={bad.length > 0 || items.length === 0}
          loading={send.isPending && send.variables}
          onClick={() => send.mutate(true)}
        >
          {own.tryIt}
        </Button>
        <Button disabled={!isTried} loading={send.isPending && !send.variables} onClick={() => send.mutate(false)}>
          {own.impose(items.length)}
        </Button>
      </div>
      <CliLine line={commandLine('sanctions', 'apply', 'sanctions.ndjson', ['--batch', name])} />
    </div>
  );
}

function Outcome({ answer: { dryRun, created, refused, unknown, lines } }: { readonly answer: AppliedSanctions }) {
  const own = useWords().batches;
  return (
    <>
      <p role="status">{dryRun ? own.would(created, refused, unknown) : own.imposed(created)}</p>
      {lines.flatMap(({ line, message }) =>
        message === null
          ? []
          : [
              <p className="bad" key={line}>
                {line}: {message}
              </p>,
            ],
      )}
    </>
  );
}
