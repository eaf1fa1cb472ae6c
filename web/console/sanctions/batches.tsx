/** Many sanctions at once: a JSON object a line or CSV, tried before they are imposed, and taken back together. */
import { Button, Checkbox, FileButton, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useMemo, useState } from 'react';
import { type AppliedSanctions, sanctionBatchRoutes } from '../../../src/contract/moderation/sanction-batches.js';
import { type BatchLines, batchLines, inParts } from '../../../src/files/batch-lines.js';
import { warningsOf, withoutStrangers } from '../../../src/files/batch-strangers.js';
import type { Flag } from '../../../src/text/command-line.js';
import { NotText } from '../../../src/text/decode-text.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { known, readingOf } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { textOfFile } from '../parts/file-text.js';
import { PlainTable } from '../parts/plain-table.js';
import { Refusal } from '../parts/refusal.js';
import { Time } from '../parts/time.js';
import { useIntent } from '../parts/use-intent.js';
import { useRead } from '../parts/use-read.js';
import { client, daemonNow } from '../session/session.js';
import { useWords } from '../words/all-words.js';

const badShown = 50;

/**
 * The batch keeps its name, so that a file that was cut off is continued by the same one, and sending twice imposes once.
 * It is nobody else's: two moderators may begin in the same second.
 */
const newName = (): string =>
  `console-${new Date().toISOString().slice(0, 19).replaceAll(/[:T]/g, '-')}-${crypto.randomUUID().slice(0, 4)}`;

export default function Batches() {
  const words = useWords();
  const own = words.batches;
  const { params, may } = useProject();
  const found = useRead(sanctionBatchRoutes.list, { params, query: { limit: 50 } }, { after: ['sanction.'] });
  return (
    <div className="stack">
      {may('moderator') && <NewBatch />}
      <PlainTable
        head={[own.batch, own.sanctions, own.active, words.created, words.actions]}
        of={readingOf(found, ({ batches }) =>
          batches.map(({ batchId, sanctions, active, createdAt, undoneAt }) => [
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
          ]),
        )}
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
  const [path, setPath] = useState('');
  const [name, setName] = useState('');
  const [suggested, setSuggested] = useState(newName);
  const [sent, setSent] = useState(0);
  const [takesNew, setTakesNew] = useState(false);
  const [notText, setNotText] = useState<NotText | null>(null);
  const read = useMemo(
    () => (text.trim() === '' ? nothing : batchLines(text, path, new Date(daemonNow()))),
    [text, path],
  );
  const { items } = read;
  const bad = notText === null ? read.bad : [{ line: notText.line, field: '', message: notText.message }];
  const batchId = name === '' ? suggested : name;
  const send = useIntent({
    mutationFn: async (dryRun: boolean) => {
      setSent(0);
      const answers: AppliedSanctions[] = [];
      for (const part of inParts(items, dryRun ? undefined : stepItems)) {
        const body = { ...part, items: [...part.items], dryRun, batchId };
        const answer = await client.call(sanctionBatchRoutes.apply, { params, body });
        answers.push(dryRun && !takesNew ? withoutStrangers(items, answer, own.tickNew) : answer);
        setSent((before) => before + part.items.length);
      }
      return { dryRun, answers };
    },
    // What was imposed before a part failed holds, too.
    onSettled: (_, __, dryRun) => (dryRun ? undefined : queries.invalidateQueries()),
  });
  const outcome = send.data === undefined ? null : summed(send.data.answers);
  const isTried = send.data?.dryRun === true && outcome?.refused === 0;
  const isApplied = send.data?.dryRun === false;
  const change = (next: string, file = path) => {
    setText(next);
    setPath(file);
    setNotText(null);
    send.reset();
    if (isApplied) setSuggested(newName());
  };
  // What was tried or imposed has the name before: it is neither imposed nor taken back under another.
  const rename = (next: string) => {
    setName(next);
    send.reset();
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  };
  const take = async (file: File | null | undefined) => {
    if (file === undefined || file === null) return;
    try {
      change(await textOfFile(file), file.name);
    } catch (error) {
      if (!(error instanceof NotText)) throw error;
      change('', file.name);
      setNotText(error);
    }
  };
  const flags: Flag[] = [['--batch', batchId], ...(takesNew ? [['--new'] as const] : [])];
  const file = path === '' ? 'sanctions.ndjson' : path;
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
      <div className="buttons">
        <FileButton onChange={take} accept=".ndjson,.jsonl,.csv,.json,.txt">
          {(props) => (
            <Button {...props} variant="default">
              {own.chooseFile}
            </Button>
          )}
        </FileButton>
        {path !== '' && <bdi className="quiet">{path}</bdi>}
      </div>
      <TextInput
        label={own.batch}
        placeholder={suggested}
        value={name}
        onChange={(event) => rename(event.currentTarget.value)}
      />
      <Checkbox
        label={own.takeNew}
        checked={takesNew}
        onChange={() => {
          setTakesNew(!takesNew);
          send.reset();
        }}
      />
      {bad.length > 0 && <p className="bad">{own.badLines(bad.length)}</p>}
      <PlainTable
        head={[own.line, own.field, own.problem]}
        of={known(
          bad.slice(0, badShown).map(({ line, field, message }) => [line, field, <bdi key="problem">{message}</bdi>]),
        )}
        empty=""
      />
      <Refusal error={send.error} />
      {send.isPending && (
        <progress aria-label={own.progress} max={items.length} value={sent}>
          {sent} / {items.length}
        </progress>
      )}
      {outcome !== null && <Outcome answer={outcome} dryRun={send.data?.dryRun === true} />}
      <div className="buttons">
        <Button
          variant="default"
          disabled={bad.length > 0 || items.length === 0 || send.isPending}
          loading={send.isPending && send.variables}
          onClick={() => send.start(true)}
        >
          {own.tryIt}
        </Button>
        <Button
          disabled={!isTried || send.isPending}
          loading={send.isPending && !send.variables}
          onClick={() => send.start(false)}
        >
          {own.impose(items.length)}
        </Button>
        {isApplied && (
          <Act
            label={own.undo}
            tone="red"
            confirm={own.undoText(outcome?.created ?? 0)}
            run={() => client.call(sanctionBatchRoutes.undo, { params: { ...params, id: batchId }, body: {} })}
            onDone={() => change('', '')}
            line={commandLine('sanctions', 'undo', batchId)}
          />
        )}
      </div>
      <CliLine line={commandLine('sanctions', 'apply', file, ...flags, ['--dry-run'])} />
      <CliLine line={commandLine('sanctions', 'apply', file, ...flags)} />
    </div>
  );
}

const nothing: Pick<BatchLines, 'items' | 'bad'> = { items: [], bad: [] };
/** As many are imposed by one request, so that the bar moves. */
const stepItems = 500;

type Sum = Pick<AppliedSanctions, 'created' | 'refused' | 'unknown' | 'lines'>;
const summed = (answers: readonly AppliedSanctions[]): Sum => ({
  created: answers.reduce((sum, { created }) => sum + created, 0),
  refused: answers.reduce((sum, { refused }) => sum + refused, 0),
  unknown: answers.reduce((sum, { unknown }) => sum + unknown, 0),
  lines: answers.flatMap(({ lines }) => lines),
});

function Outcome({
  answer: { created, refused, unknown, lines },
  dryRun,
}: {
  readonly answer: Sum;
  readonly dryRun: boolean;
}) {
  const own = useWords().batches;
  return (
    <>
      <p role="status">{dryRun ? own.would(created, refused, unknown) : own.imposed(created)}</p>
      <PlainTable
        head={[own.line, own.problem]}
        of={known(
          lines.flatMap((one) => {
            const said = one.message ?? (dryRun ? warningsOf(one) : null);
            return said === null ? [] : [[one.line, <bdi key="problem">{said}</bdi>]];
          }),
        )}
        empty=""
      />
    </>
  );
}
