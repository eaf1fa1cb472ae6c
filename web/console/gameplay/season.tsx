/** The whole configuration as one file: edited or dropped in as YAML, compared with what is there, applied. */
import { Button, Checkbox, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useEffect, useState } from 'react';
import { deletionRoutes } from '../../../src/contract/gameplay/deletions.js';
import { lossesOf, type SeasonPlan, seasonRoutes } from '../../../src/contract/gameplay/season-routes.js';
import { FileUnreadable } from '../../../src/files/file-text.js';
import { readSeason, writeSeason } from '../../../src/files/season-text.js';
import { NotText } from '../../../src/text/decode-text.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { known } from '../parts/answer.js';
import { CliLine, commandLine, type Flag } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { textOfFile } from '../parts/file-text.js';
import { Panel } from '../parts/page.js';
import { PlainTable } from '../parts/plain-table.js';
import { Refusal } from '../parts/refusal.js';
import { Time } from '../parts/time.js';
import { useIntent } from '../parts/use-intent.js';
import { useRead } from '../parts/use-read.js';
import { client } from '../session/session.js';
import { useWords } from '../words/all-words.js';

const linesShown = 30;

/** Every mistake of the file with its line; empty: it is a season. */
function mistakesOf(text: string): readonly string[] {
  try {
    readSeason(text);
    return [];
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    return error.message.split('\n');
  }
}

export default function SeasonPage() {
  const own = useWords().gameplay;
  const { params, may } = useProject();
  const queries = useQueryClient();
  const { data, error } = useRead(seasonRoutes.get, { params });
  const [text, setText] = useState<string | null>(null);
  const [prune, setPrune] = useState(false);
  const [allowEmpty, setAllowEmpty] = useState(false);
  const [force, setForce] = useState(false);
  useEffect(() => {
    if (data !== undefined) setText((typed) => typed ?? writeSeason(data.season));
  }, [data]);
  const [notText, setNotText] = useState<string | null>(null);
  const mistakes = notText !== null ? [notText] : text === null ? [] : mistakesOf(text);
  const apply = useIntent({
    mutationFn: (dryRun: boolean) =>
      client.call(seasonRoutes.apply, {
        params,
        body: { season: readSeason(text ?? '').file, dryRun, prune, allowEmpty, force },
      }),
    onSuccess: ({ applied }) => {
      if (applied) void queries.invalidateQueries();
    },
  });
  /** What was compared is not what would be applied any more. */
  const change = (work: () => void) => {
    work();
    setNotText(null);
    apply.reset();
  };
  const [isAsking, setAsking] = useState(false);
  const losses = apply.data?.applied === false ? lossesOf(apply.data.changes) : [];
  const applyNow = () => {
    setAsking(false);
    apply.start(false);
  };
  const onDrop = async (event: DragEvent) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file === undefined || !may('admin')) return;
    const dropped = await textOfFile(file).catch((error: unknown) => {
      if (!(error instanceof NotText)) throw error;
      setNotText(`${file.name}:${error.line}: ${error.message}`);
      return null;
    });
    if (dropped !== null) change(() => setText(dropped));
  };
  if (data === undefined || text === null) return <Refusal error={error} />;
  const flags: Flag[] = [
    ...(prune ? [['--prune'] as const] : []),
    ...(prune && allowEmpty ? [['--allow-empty'] as const] : []),
    ...(force ? [['--force'] as const] : []),
  ];
  return (
    <div className="columns">
      <Panel title={own.season}>
        <p className="quiet">
          {own.seasonText} {own.appliedAt} <Time at={data.appliedAt} />
        </p>
        <Textarea
          aria-label={own.seasonFile}
          rows={linesShown}
          autosize={false}
          spellCheck={false}
          readOnly={!may('admin')}
          classNames={{ input: 'mono' }}
          value={text}
          onChange={({ currentTarget: { value } }) => change(() => setText(value))}
          onDragOver={(event) => event.preventDefault()}
          onDrop={onDrop}
        />
        {mistakes.map((mistake) => (
          <p className="bad" key={mistake}>
            {mistake}
          </p>
        ))}
        <CliLine line={commandLine('gameplay', 'export')} />
      </Panel>
      {may('admin') && (
        <Panel title={own.diff}>
          <div className="form">
            <Checkbox label={own.prune} checked={prune} onChange={() => change(() => setPrune(!prune))} />
            {prune && (
              <Checkbox
                label={own.allowEmpty}
                checked={allowEmpty}
                onChange={() => change(() => setAllowEmpty(!allowEmpty))}
              />
            )}
            <Checkbox label={own.force} checked={force} onChange={() => change(() => setForce(!force))} />
            <div className="buttons">
              <Button
                variant="default"
                disabled={mistakes.length > 0 || apply.isPending}
                loading={apply.isPending && apply.variables}
                onClick={() => apply.start(true)}
              >
                {own.compare}
              </Button>
              <Button
                disabled={mistakes.length > 0 || apply.data?.applied !== false || apply.isPending}
                loading={apply.isPending && !apply.variables}
                onClick={() => (losses.length > 0 ? setAsking(true) : applyNow())}
              >
                {own.apply}
              </Button>
            </div>
          </div>
          <Dialog opened={isAsking} onClose={() => setAsking(false)} title={own.apply}>
            <div className="form">
              <p>{own.lossesText}</p>
              <ul className="list" aria-label={own.losses}>
                {losses.map(({ path, name, effects }) => (
                  <li key={path}>
                    <bdi>{name}</bdi> <code className="quiet">{path}</code> {effects.join(' ')}
                  </li>
                ))}
              </ul>
              <div className="buttons">
                <Button color="red" onClick={applyNow}>
                  {own.applyWithLosses}
                </Button>
              </div>
            </div>
          </Dialog>
          <Refusal error={apply.error} />
          {apply.data !== undefined && <Plan plan={apply.data} />}
          <CliLine line={commandLine('gameplay', 'apply', ['--file', 'season.yaml'], ['--dry-run'], ...flags)} />
          <CliLine line={commandLine('gameplay', 'apply', ['--file', 'season.yaml'], ...flags)} />
        </Panel>
      )}
      <Deletions />
    </div>
  );
}

/** Deleted objects that can be restored. */
function Deletions() {
  const own = useWords().gameplay;
  const { params, may } = useProject();
  const { data, error } = useRead(deletionRoutes.list, { params });
  if (data?.deletions.length === 0) return null;
  return (
    <Panel title={own.deletions}>
      <p className="quiet">{own.deletionsText}</p>
      <Refusal error={error} />
      <ul className="list" aria-label={own.deletions}>
        {data?.deletions.map(({ id, createdAt, count, objects }) => (
          <li key={id}>
            <Time at={createdAt} /> <bdi>{objects.map(({ name }) => name).join(', ')}</bdi>
            {count > objects.length && ` +${count - objects.length}`}
            {may('admin') && (
              <Act
                label={own.undoDelete}
                run={() => client.call(deletionRoutes.undo, { params: { ...params, id } })}
                line={commandLine('gameplay', 'undo-delete', id)}
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const signs = { create: '+', update: '~', remove: '−' } as const;
const tones = { create: 'good', update: 'warn', remove: 'bad' } as const;
const shown = (value: unknown): string => (value === undefined ? '–' : JSON.stringify(value));

function Plan({ plan: { applied, changes, unlisted, conflicts } }: { readonly plan: SeasonPlan }) {
  const own = useWords().gameplay;
  return (
    <>
      <p role="status">
        <strong>{applied ? own.applied(changes.length) : own.wouldChange(changes.length)}</strong>
      </p>
      <ul className="list" aria-label={own.diff}>
        {changes.map(({ action, path, name, fields, effects }) => (
          <li key={path}>
            <span className={tones[action]}>{signs[action]}</span>
            <bdi>{name}</bdi> <code className="quiet">{path}</code>
            {fields.length > 0 && (
              <PlainTable
                head={[own.field, own.before, own.after]}
                of={known(fields.map(({ field, before, after }) => [field, shown(before), shown(after)]))}
              />
            )}
            {effects.map((effect) => (
              <p className="quiet" key={effect}>
                {effect}
              </p>
            ))}
          </li>
        ))}
      </ul>
      {unlisted.length > 0 && (
        <p className="quiet">
          {own.unlisted} {unlisted.join(', ')}
        </p>
      )}
      {conflicts.map(({ path, message }) => (
        <p className="warn" key={path}>
          {path}: {message}
        </p>
      ))}
    </>
  );
}
