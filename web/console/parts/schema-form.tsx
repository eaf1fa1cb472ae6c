/**
 * A form for a request of the contract. Its fields and its checks are those of the schema: what the daemon would refuse
 * stands at the field while it is typed.
 */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import type { z } from 'zod';
import { ApiError } from '../../../src/client/errors.js';
import { judge } from '../../../src/contract/judge.js';
import { CliLine, type Command, type Flag } from './copy.js';
import { Refusal } from './refusal.js';
import { type Choices, SchemaField } from './schema-field.js';
import { fieldsOf } from './schema-fields.js';
import {
  type Draft,
  type Fault,
  flagsOf,
  isSame,
  rebased,
  requestOf,
  type Typed,
  typedOf,
  withoutSecrets,
} from './typed-values.js';
import './parts.css';
import { useIntent } from './use-intent.js';

type Body<S extends z.ZodObject> = z.input<S>;

interface SchemaFormProps<S extends z.ZodObject> {
  readonly schema: S;
  /** Values that stand in it. Only what differs from them is sent; where they change, fields that nobody touched follow. */
  readonly start?: Readonly<Record<string, unknown>>;
  /** Values that are filled in, and sent like typed ones. */
  readonly filled?: Readonly<Record<string, unknown>>;
  /** Fields in their order; left out: all of the schema. Those of a function are shown for what is typed. */
  readonly fields?: readonly (keyof S['shape'] & string)[];
  /** Fields that what is typed makes pointless. They are neither shown nor sent. */
  readonly hides?: (draft: Draft) => readonly string[];
  /** The schema for what is typed, where the fields depend on it. */
  readonly adapt?: (draft: Draft) => z.ZodObject;
  /** Values to choose from, where the schema leaves them open: by the name of the field, for each object of the form. */
  readonly choices?: Choices;
  readonly send: (body: Body<S>) => Promise<unknown>;
  readonly onDone?: () => void;
  readonly submit: string;
  readonly line: (flags: readonly Flag[], body: Readonly<Record<string, unknown>>) => Command;
  readonly extra?: (body: Readonly<Record<string, unknown>>) => ReactNode;
}

const startsWith = (path: readonly string[], begin: readonly string[]): boolean =>
  begin.every((step, index) => path[index] === step);

/** What the daemon refused, at the fields that it names. */
const refusedAt = (error: unknown): readonly Fault[] =>
  error instanceof ApiError ? error.details.map(({ path, message }) => ({ path: path.split('.'), message })) : [];

export function SchemaForm<S extends z.ZodObject>({
  schema: whole,
  start = {},
  filled = {},
  fields: names,
  hides,
  adapt,
  choices,
  send,
  onDone,
  submit,
  line,
  extra,
}: SchemaFormProps<S>) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>(() => draftOf(whole, { ...start, ...filled }));
  const schema = adapt?.(draft) ?? whole;
  const all = useMemo(() => fieldsOf(schema), [schema]);
  const hidden = hides?.(draft) ?? [];
  const fields = (
    names === undefined ? all : names.flatMap((name) => all.filter((field) => field.name === name))
  ).filter(({ name }) => !hidden.includes(name));
  // What is filled in is sent also where it is what holds anyway.
  const stands = {
    ...draftOf(whole, start),
    ...Object.fromEntries(Object.keys(filled).flatMap((name) => (name in start ? [] : [[name, '']]))),
  };
  const [seen, setSeen] = useState(stands);
  const [first, setFirst] = useState(stands);
  if (!isSame(stands, seen)) {
    setSeen(stands);
    setFirst(stands);
    setDraft(rebased(draft, first, stands));
  }
  const [touched, setTouched] = useState<readonly (readonly string[])[]>([]);
  const { body, faults } = requestOf(fields, first, draft);
  const judged = judge(schema, body);
  const found: readonly Fault[] = [
    ...faults,
    ...(judged.success ? [] : judged.problems.map(({ path, message }) => ({ path: path.map(String), message }))).filter(
      ({ path }) => !faults.some((one) => startsWith(path, one.path)),
    ),
  ];
  const isRight = found.length === 0;
  const sending = useIntent({
    mutationFn: (_sent: Draft) => send(body as Body<S>),
    onSuccess: (_, sent) => {
      const stored = withoutSecrets(sent);
      if (fields.some(({ name }) => start[name] !== undefined)) setFirst(stored);
      setDraft((before) => rebased(before, sent, stored));
      setTouched([]);
      void queries.invalidateQueries();
      onDone?.();
    },
  });
  const isTouched = (path: readonly string[]) =>
    touched.some((one) => startsWith(path, one) || (path.length > 0 && startsWith(one, path)));
  const shown = [
    ...found.filter(({ path }) => isTouched(path)),
    // What was refused stays until its field is right again.
    ...refusedAt(sending.error).filter(
      ({ path }) => !found.some((one) => startsWith(path, one.path) && isTouched(one.path)),
    ),
  ];
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTouched(fields.map(({ name }) => [name]));
    if (isRight) sending.start(draft);
    else {
      const form = event.currentTarget;
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    }
  };
  const onType = (name: string) => (typed: Typed, at: readonly string[]) => {
    setDraft((before) => ({ ...before, [name]: typed }));
    setTouched((before) => [...before, [name, ...at]]);
  };
  const general = touched.length > 0 ? found.filter(({ path }) => path.length === 0) : [];
  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      {fields.map((field) => (
        <SchemaField
          key={field.name}
          field={field}
          typed={draft[field.name] ?? typedOf(field, undefined)}
          faults={shown
            .filter(({ path }) => path[0] === field.name)
            .map(({ path, message }) => ({ path: path.slice(1), message }))}
          around={draft}
          choices={choices}
          onType={onType(field.name)}
        />
      ))}
      {general.map(({ message }) => (
        <p className="bad" key={message}>
          {message}
        </p>
      ))}
      <Refusal error={sending.error} fields={fields.map(({ name }) => name)} />
      <div className="buttons">
        <Button type="submit" loading={sending.isPending}>
          {submit}
        </Button>
        {isRight && extra?.(body)}
      </div>
      <CliLine line={line(flagsOf(fields, body, draft), body)} />
    </form>
  );
}

/** What stands in all fields of the schema. */
const draftOf = (schema: z.ZodObject, values: Readonly<Record<string, unknown>>): Draft =>
  Object.fromEntries(fieldsOf(schema).map((field) => [field.name, typedOf(field, values[field.name])]));
