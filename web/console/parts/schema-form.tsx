/**
 * A form for a request of the contract. Its fields and its checks are those of the schema: what the daemon would refuse
 * stands at the field while it is typed.
 */
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import type { z } from 'zod';
import { judge } from '../../../src/contract/judge.js';
import { useWords } from '../words/all-words.js';
import { CliLine, type Command, type Flag } from './copy.js';
import { fieldError, Refusal } from './refusal.js';
import {
  type Draft,
  type FormField,
  fieldsOf,
  flagsOf,
  isSame,
  isSecret,
  rebased,
  requestOf,
  type Typed,
  typedOf,
  withoutSecrets,
} from './schema-fields.js';
import './parts.css';
import { useIntent } from './use-intent.js';

type Body<S extends z.ZodObject> = z.input<S>;

interface SchemaFormProps<S extends z.ZodObject> {
  readonly schema: S;
  /** Values that stand in it. Only what differs from them is sent; where they change, fields that nobody touched follow. */
  readonly start?: Readonly<Record<string, unknown>>;
  /** Values that are filled in, and sent like typed ones. */
  readonly filled?: Readonly<Record<string, unknown>>;
  /** Fields in their order; left out: all of the schema. */
  readonly fields?: readonly (keyof S['shape'] & string)[];
  /** Values to choose from, where the schema leaves them open. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  readonly send: (body: Body<S>) => Promise<unknown>;
  readonly onDone?: () => void;
  readonly submit: string;
  readonly line: (flags: readonly Flag[], body: Readonly<Record<string, unknown>>) => Command;
  readonly extra?: (body: Readonly<Record<string, unknown>>) => ReactNode;
}

/** `initDelay` → `Init delay`. */
const plain = (name: string): string => {
  const words = name.replaceAll(/([A-Z])/g, (_, letter: string) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export function SchemaForm<S extends z.ZodObject>({
  schema,
  start = {},
  filled = {},
  fields: names,
  choices = {},
  send,
  onDone,
  submit,
  line,
  extra,
}: SchemaFormProps<S>) {
  const words = useWords();
  const queries = useQueryClient();
  const fields = useMemo(() => {
    const all = fieldsOf(schema).map((field) => {
      const options = choices[field.name];
      return options === undefined ? field : { ...field, options, kind: 'choice' as const };
    });
    return names === undefined ? all : names.flatMap((name) => all.filter((field) => field.name === name));
  }, [schema, names, choices]);
  const draftOf = (values: Readonly<Record<string, unknown>>): Draft =>
    Object.fromEntries(fields.map((field) => [field.name, typedOf(field, values[field.name])]));
  const stands = draftOf(start);
  const [seen, setSeen] = useState(stands);
  const [first, setFirst] = useState(stands);
  const [draft, setDraft] = useState(() => draftOf({ ...start, ...filled }));
  if (!isSame(stands, seen)) {
    setSeen(stands);
    setFirst(stands);
    setDraft(rebased(draft, first, stands));
  }
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const { body, notJson } = requestOf(fields, first, draft);
  const judged = judge(schema, body);
  const problems = judged.success ? [] : judged.problems;
  const isRight = judged.success && Object.keys(notJson).length === 0;
  const sending = useIntent({
    mutationFn: (_sent: Draft) => send(body as Body<S>),
    onSuccess: (_, sent) => {
      const stored = withoutSecrets(sent);
      if (fields.some(({ name }) => start[name] !== undefined)) setFirst(stored);
      setDraft((before) => rebased(before, sent, stored));
      setTouched(new Set());
      void queries.invalidateQueries();
      onDone?.();
    },
  });
  const errorOf = (name: string): string | null => {
    if (!touched.has(name)) return fieldError(sending.error, name);
    if (notJson[name] !== undefined) return notJson[name];
    const found = problems.filter(({ path }) => path[0] === name);
    if (found.length === 0) return fieldError(sending.error, name);
    return found.map(({ path, message }) => [path.slice(1).join('.'), message].filter(Boolean).join(': ')).join('. ');
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setTouched(new Set(fields.map(({ name }) => name)));
    if (isRight) sending.start(draft);
  };
  const onType = (name: string) => (typed: Typed) => {
    setDraft((before) => ({ ...before, [name]: typed }));
    setTouched((before) => new Set(before).add(name));
  };
  const whole = touched.size > 0 ? problems.filter(({ path }) => path.length === 0) : [];
  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          label={(words.fields as Readonly<Record<string, string>>)[field.name] ?? plain(field.name)}
          typed={draft[field.name] ?? ''}
          error={errorOf(field.name)}
          onType={onType(field.name)}
        />
      ))}
      {whole.map(({ message }) => (
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

interface FieldProps {
  readonly field: FormField;
  readonly label: string;
  readonly typed: Typed;
  readonly error: string | null;
  readonly onType: (typed: Typed) => void;
}

function Field({ field, label, typed, error, onType }: FieldProps) {
  const words = useWords();
  const { kind, options, required } = field;
  const described = words.descriptions[field.name] ?? field.description;
  const own = described.toLowerCase() === label.toLowerCase() ? '' : described;
  const description = kind === 'list' ? [own.replace(/[^.]$/, '$&.'), words.onePerLine].join(' ').trim() : own;
  const common = {
    ...{ label, error, required, description },
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
  };
  const text = typeof typed === 'string' ? typed : '';
  if (kind === 'flag')
    return (
      <Checkbox
        {...{ label, error, description }}
        checked={typed === true}
        onChange={(event) => onType(event.currentTarget.checked)}
      />
    );
  if (kind === 'choices')
    return (
      <Checkbox.Group {...common} value={[...(typed as readonly string[])]} onChange={onType}>
        <div className="choices">
          {options.map((option) => (
            <Checkbox key={option} value={option} label={option} />
          ))}
        </div>
      </Checkbox.Group>
    );
  if (kind === 'choice')
    return (
      <NativeSelect
        {...common}
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
        data={[...(required && text !== '' ? [] : ['']), ...options].map((value) => ({
          value,
          label: value === '' ? words.unset : value,
        }))}
      />
    );
  if (kind === 'json' || kind === 'long' || kind === 'list')
    return (
      <Textarea
        {...common}
        autosize={false}
        rows={kind === 'long' ? 2 : Math.min(22, Math.max(kind === 'json' ? 3 : 2, text.split('\n').length))}
        spellCheck={kind !== 'json'}
        classNames={kind === 'json' ? { input: 'mono' } : {}}
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...common}
      type={isSecret(field.name) ? 'password' : kind === 'time' ? 'datetime-local' : 'text'}
      autoComplete="off"
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      {...(kind === 'seconds' ? { placeholder: '10m' } : {})}
      {...(kind === 'time' ? { max: '9999-12-31T23:59' } : {})}
      value={text}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}
