/** A list of what is configured: search, a form for a new one, and the open one in place of the list. */
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import type { Reading } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { Dialog } from '../parts/dialog.js';
import { TextFilter } from '../parts/filters.js';
import { JsonView } from '../parts/json-view.js';
import { Panel } from '../parts/page.js';
import type { Choices } from '../parts/schema-field.js';
import { SchemaForm } from '../parts/schema-form.js';
import { useFilter } from '../parts/use-filter.js';
import { useWords } from '../words/all-words.js';
import { textOf } from './text-of.js';

interface ConfiguredProps<Row> {
  readonly title: string;
  /** Words of the command that lists them. */
  readonly topic: string;
  readonly of: Reading<readonly Row[]>;
  readonly columns: readonly Column<Row>[];
  readonly empty: string;
  readonly newLabel: string;
  readonly newForm: (onMade: (id: string) => void) => ReactNode;
  readonly opened: (row: Row, onGone: () => void) => ReactNode;
}

const idOf = ({ id }: { readonly id: string }) => id;

export function Configured<Row extends { readonly id: string }>(props: ConfiguredProps<Row>) {
  const { title, topic, of: rows, columns, empty, newLabel, newForm, opened } = props;
  const words = useWords();
  const { may } = useProject();
  const navigate = useNavigate();
  const [open] = useFilter('open');
  const [search, setSearch] = useFilter('search');
  /** Filters of what was open before stay behind. */
  const setOpen = (id: string) => {
    const kept = { ...(search === '' ? {} : { search }), ...(id === '' ? {} : { open: id }) };
    void navigate({ to: '.', search: kept as never, replace: true });
  };
  const close = () => setOpen('');
  const row = rows.data?.find(({ id }) => id === open);
  if (row !== undefined)
    return (
      <>
        <p>
          <button type="button" className="pick" onClick={close}>
            ← {title}
          </button>
        </p>
        {opened(row, close)}
      </>
    );
  return (
    <>
      <div className="page-actions tab-actions">
        <TextFilter label={words.gameplay.name} value={search} onChange={setSearch} />
        {may('admin') && <Button onClick={() => setOpen('new')}>{newLabel}</Button>}
      </div>
      <DataTable
        label={title}
        of={rows}
        columns={columns}
        idOf={idOf}
        onOpen={({ id }) => setOpen(id)}
        empty={empty}
        height="calc(100dvh - 240px)"
      />
      <CliLine line={commandLine(topic, 'list', ['--search', search])} />
      <Dialog opened={open === 'new' && may('admin')} onClose={close} title={newLabel} size="lg">
        {newForm(setOpen)}
      </Dialog>
    </>
  );
}

/** The rows that the search of the address asks for. */
export const useNamedPage = () => {
  const [search] = useFilter('search');
  return { limit: 200, ...(search === '' ? {} : { search }) };
};

interface EditorProps<S extends z.ZodObject> {
  readonly title: ReactNode;
  /** Words of the commands that change and delete it. */
  readonly topic: string;
  readonly row: { readonly name: Parameters<typeof textOf>[0] };
  readonly schema: S;
  readonly fields: readonly (keyof S['shape'] & string)[];
  readonly choices?: Choices;
  readonly update: (body: z.input<S>) => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
  /** Asked before it is deleted. */
  readonly removeText: ReactNode;
  readonly onGone: () => void;
  /** Further acts, before the deletion. */
  readonly acts?: ReactNode;
}

/** The open one: a form for administrators, and what is stored for everybody else. */
export function Editor<S extends z.ZodObject>({
  title,
  topic,
  row,
  schema,
  fields,
  choices,
  update,
  remove,
  removeText,
  onGone,
  acts,
}: EditorProps<S>) {
  const words = useWords();
  const { may } = useProject();
  const name = textOf(row.name);
  return (
    <Panel
      title={title}
      actions={
        may('admin') && (
          <>
            {acts}
            <Act
              label={words.gameplay.delete}
              tone="red"
              confirm={removeText}
              run={remove}
              onDone={onGone}
              line={commandLine(topic, 'delete', name)}
            />
          </>
        )
      }
    >
      {may('admin') ? (
        <SchemaForm
          schema={schema}
          fields={fields}
          {...(choices === undefined ? {} : { choices })}
          start={row}
          send={update}
          submit={words.save}
          line={(flags) => commandLine(topic, 'update', name, ...flags)}
        />
      ) : (
        <JsonView value={row} label={name} />
      )}
    </Panel>
  );
}
