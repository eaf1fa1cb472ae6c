/** One field of a form, with the fields in it: inputs, rows, choices between objects, and sentences with gaps. */
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type PropsWithChildren, useRef, useState } from 'react';
import { useWords, type Words } from '../words/all-words.js';
import { type FormField, isSecret } from './schema-fields.js';
import {
  type Draft,
  type Fault,
  fresh,
  isDraft,
  isSame,
  isStructured,
  isSwitched,
  rowsIn,
  type Typed,
  textIn,
  typedOf,
  valueIn,
} from './typed-values.js';
import './schema-field.css';

/** Values to choose from in an object of the form, by what is typed there. */
export type Choices = (draft: Draft) => Readonly<Record<string, readonly string[]>>;

interface FieldProps {
  readonly field: FormField;
  readonly typed: Typed;
  /** What is wrong in it, by the path from here. */
  readonly faults: readonly Fault[];
  /** What is typed in the object that the field belongs to. */
  readonly around: Draft;
  readonly choices: Choices | undefined;
  /** Called with the path of what was typed. */
  readonly onType: (typed: Typed, at: readonly string[]) => void;
}

/** `initDelay` → `Init delay`. */
const plain = (name: string): string => {
  const words = name.replaceAll(/([A-Z])/g, (_, letter: string) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

type LabelledField = Pick<FormField, 'name' | 'of'>;
const labelOf = (words: Words, { name, of }: LabelledField): string => {
  const labels = words.fields as Readonly<Record<string, string>>;
  return labels[`${of}.${name}`] ?? labels[name] ?? plain(name);
};

/** The word for a value of a choice: that of the field, else that of all fields. */
function optionLabel(words: Words, name: string, value: string): string {
  const labels = words.options as Readonly<Record<string, string>>;
  const sanctions = words.sanctions.types as Readonly<Record<string, string>>;
  if (name === 'scopes') {
    const [scope = '', reading] = value.split(':');
    const text = labels[`scopes.${scope}`];
    return `${value}: ${text}${reading === undefined ? '' : ` (${words.forms.readOnly})`}`;
  }
  return labels[`${name}.${value}`] ?? labels[value] ?? sanctions[value] ?? value;
}

const within = (faults: readonly Fault[], step: string): readonly Fault[] =>
  faults.filter(({ path }) => path[0] === step).map(({ path, message }) => ({ path: path.slice(1), message }));
const textOf = (faults: readonly Fault[]): string | null =>
  faults.length === 0
    ? null
    : [...new Set(faults.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')))].join('. ');
/** With entries counted from 1, as people count lines. */
const counted = ({ path: [first, ...rest], message }: Fault): Fault => ({
  path: first === undefined ? [] : [/^\d+$/.test(first) ? `${Number(first) + 1}` : first, ...rest],
  message,
});
/** Marks what was added or taken away, which says nothing about what is in the rows. */
const ofRows = ['#'];

export function SchemaField(props: FieldProps) {
  const words = useWords();
  const { field, onType } = props;
  const offered = offeredIn(props);
  if (offered !== null) return <Input {...props} field={offered} />;
  if (field.kind === 'texts') return <Texts {...props} />;
  if (!isStructured(field.kind) || field.kind === 'json') return <Input {...props} />;
  const label = labelOf(words, field);
  const description = descriptionOf(words, field, label);
  const typed = props.typed === '' && !isSwitched(field) ? fresh(field) : props.typed;
  const isJson = typeof typed === 'string' && typed !== '';
  if (isJson)
    return (
      <div>
        <Input
          {...props}
          field={{ ...field, kind: 'json' }}
          label={`${label} (JSON)`}
          // Nothing at all would be the form again, under the hands of whoever empties the text to paste another one.
          onType={(next, at) => onType(next === '' ? ' ' : next, at)}
        />
        <button
          type="button"
          className="pick"
          disabled={valueIn(field, typed) === undefined}
          onClick={() => onType(typedOf(field, valueIn(field, typed)), ofRows)}
        >
          {words.forms.asForm}
        </button>
      </div>
    );
  const own = textOf(props.faults.filter(({ path }) => path.length === 0));
  const isOn = !isSwitched(field) || typed !== '';
  return (
    <fieldset className="group">
      <legend>
        {isSwitched(field) ? (
          <Checkbox label={label} checked={isOn} onChange={() => onType(isOn ? '' : fresh(field), ofRows)} />
        ) : (
          label
        )}
        {isOn && !field.isNested && (
          <button
            type="button"
            className="pick quiet"
            onClick={() => onType(JSON.stringify(valueIn(field, typed) ?? {}, null, 2), ofRows)}
          >
            {words.forms.asJson}
          </button>
        )}
      </legend>
      {description !== '' && <p className="quiet">{description}</p>}
      {isOn && <Inside {...props} typed={typed} />}
      {own !== null && <p className="bad">{own}</p>}
    </fieldset>
  );
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** The field with the values that it may have here; null: they are open. */
function offeredIn({ field, typed, around, choices }: FieldProps): FormField | null {
  const offered = choices?.(around)[field.name] ?? (field.name === 'timeZone' ? zones : undefined);
  if (offered === undefined) return null;
  const isOther = typeof typed === 'string' && typed !== '' && !offered.includes(typed);
  return { ...field, options: isOther ? [...offered, typed] : offered, kind: 'choice' };
}

/** What a structured field has in it, without its label. */
function Inside(props: FieldProps) {
  const { field } = props;
  if (field.kind === 'group') return <Group {...props} />;
  if (field.kind === 'one') return <One {...props} />;
  if (field.kind === 'map') return <Pairs {...props} />;
  return <Rows {...props} />;
}

function Group({ field, typed, faults, around, choices, onType }: FieldProps) {
  const words = useWords();
  const draft = isDraft(typed) ? typed : {};
  const sentence = (words.sentences as Readonly<Record<string, string>>)[field.id];
  const propsOf = (one: FormField): FieldProps => ({
    ...{ field: one, choices, around: { ...around, ...draft } },
    typed: draft[one.name] ?? typedOf(one, undefined),
    faults: within(faults, one.name),
    onType: (next, at) => onType({ ...draft, [one.name]: next }, [one.name, ...at]),
  });
  if (sentence === undefined)
    return (
      <div className="fields">
        {field.fields.map((one) => (
          <SchemaField key={one.name} {...propsOf(one)} />
        ))}
      </div>
    );
  const parts = sentence.split(/\{(\w+)\}/);
  const named = field.fields.filter(({ name }) => parts.includes(name));
  const others = field.fields.filter(({ name }) => !parts.includes(name));
  const isUsed = others.some((one) => {
    const usual = typedOf(one, undefined);
    return !isSame(draft[one.name] ?? usual, usual) || within(faults, one.name).length > 0;
  });
  return (
    <>
      <span className="sentence">
        {parts.map((part, index) => {
          const one = index % 2 === 0 ? undefined : named.find(({ name }) => name === part);
          if (one === undefined) return part.trim() !== '' && <span key={part}>{part}</span>;
          return <Gap key={part} {...propsOf(one)} />;
        })}
      </span>
      {others.length > 0 && (
        <More isUsed={isUsed}>
          {others.map((one) => (
            <SchemaField key={one.name} {...propsOf(one)} />
          ))}
        </More>
      )}
    </>
  );
}

/** Fields that few need. They stay open once one was used: closing would take the focus from a field just emptied. */
function More({ isUsed, children }: PropsWithChildren<{ readonly isUsed: boolean }>) {
  const words = useWords();
  const [wasUsed, setWasUsed] = useState(isUsed);
  if (isUsed && !wasUsed) setWasUsed(true);
  return (
    <details className="more" open={wasUsed || undefined}>
      <summary>{words.forms.more}</summary>
      {children}
    </details>
  );
}

/** A field inside a sentence. */
function Gap(props: FieldProps) {
  const { field } = props;
  if (field.kind === 'rows' || field.kind === 'map') return <SchemaField {...props} />;
  if (field.kind === 'group' || field.kind === 'one') return <Inside {...props} />;
  return (
    <span className={`gap ${field.kind}`} data-name={field.name}>
      <Input {...props} field={offeredIn(props) ?? field} isInline />
    </span>
  );
}

/** Which of several things it says, and that thing. */
function One({ field, typed, faults, choices, onType }: FieldProps) {
  const words = useWords();
  const said = rowsIn(typed).filter(isDraft);
  const change = (index: number, entry: Draft, at: readonly string[]) =>
    onType(
      said.map((one, place) => (place === index ? entry : one)),
      at,
    );
  return said.map((entry, index) => {
    const kind = textIn(entry, 'kind');
    const one = field.fields.find(({ name }) => name === kind);
    return (
      <span className="sentence" key={kind}>
        {index > 0 && words.forms.and}
        <NativeSelect
          className="gap"
          size="xs"
          aria-label={words.forms.kind}
          value={kind}
          data={field.fields
            .filter(({ name }) => name === kind || !said.some((other) => textIn(other, 'kind') === name))
            .map(({ name }) => ({
              value: name,
              label: optionLabel(words, field.id === 'RuleAction' ? 'RuleAction' : 'RuleCondition', name),
            }))}
          onChange={({ currentTarget: { value } }) => {
            const next = field.fields.find(({ name }) => name === value);
            if (next !== undefined) change(index, { kind: value, value: fresh(next) }, ofRows);
          }}
        />
        {one !== undefined && (
          <Gap
            field={one}
            typed={entry.value ?? ''}
            faults={within(faults, kind)}
            around={entry}
            choices={choices}
            onType={(value, at) => change(index, { kind, value }, [kind, ...at])}
          />
        )}
      </span>
    );
  });
}

/** The buttons of a list of rows: behind each row one that removes it, and below them one that adds another. */
function useRowButtons(field: FormField, rows: readonly Typed[], onType: FieldProps['onType']) {
  const words = useWords();
  const adding = useRef<HTMLButtonElement>(null);
  const remove = (index: number) => (
    <button
      type="button"
      className="pick remove"
      aria-label={words.forms.removeRow(labelOf(words, field), index + 1)}
      onClick={() => {
        onType(
          rows.filter((_, place) => place !== index),
          ofRows,
        );
        adding.current?.focus();
      }}
    >
      ×
    </button>
  );
  const add = (made: () => Typed) => (
    <Button ref={adding} size="compact-xs" variant="default" onClick={() => onType([...rows, made()], ofRows)}>
      + {(words.adds as Readonly<Record<string, string>>)[field.name] ?? words.forms.addRow}
    </Button>
  );
  return { remove, add };
}

function Rows({ field, typed, faults, around: outer, choices, onType }: FieldProps) {
  const words = useWords();
  const rows = rowsIn(typed);
  const { remove, add } = useRowButtons(field, rows, onType);
  const { row, name } = field;
  if (row === null) return null;
  const texts = (words.rowTexts as Readonly<Record<string, (index: number) => string>>)[name];
  return (
    <>
      {rows.length > 0 && (
        <ol className="form-rows">
          {rows.map((one, index) => {
            const own = textOf(within(faults, `${index}`).filter(({ path }) => path.length === 0));
            return (
              <li key={index}>
                <div className="form-row">
                  {texts !== undefined && <span className="row-name">{texts(index)}</span>}
                  <Inside
                    field={{ ...row, name: `${name}.row`, of: field.of }}
                    typed={one}
                    faults={within(faults, `${index}`).filter(({ path }) => path.length > 0)}
                    around={outer}
                    choices={choices}
                    onType={(next, at) =>
                      onType(
                        rows.map((old, place) => (place === index ? next : old)),
                        [`${index}`, ...at],
                      )
                    }
                  />
                  {own !== null && <p className="bad">{own}</p>}
                </div>
                {remove(index)}
              </li>
            );
          })}
        </ol>
      )}
      {add(() => fresh(row))}
    </>
  );
}

/** Values by a name that is typed, such as headers. */
function Pairs({ field, typed, faults, choices, around: outer, onType }: FieldProps) {
  const words = useWords();
  const rows = rowsIn(typed).filter(isDraft);
  const { remove, add } = useRowButtons(field, rows, onType);
  const change = (index: number, next: Draft, at: readonly string[]) =>
    onType(
      rows.map((one, place) => (place === index ? next : one)),
      at,
    );
  const { row } = field;
  return (
    <>
      {rows.map((one, index) => {
        const key = textIn(one, 'name');
        const known = within(faults, key.trim());
        return (
          <div className="pair-row" key={index}>
            <TextInput
              aria-label={words.forms.nameOf(labelOf(words, field), index + 1)}
              placeholder={words.fields.name}
              value={key}
              error={textOf(known.filter(({ path }) => path.length === 0))}
              onChange={({ currentTarget: { value } }) => change(index, { ...one, name: value }, [value.trim()])}
            />
            <Input
              isInline
              field={{ ...(row ?? field), name: 'value', kind: row?.kind ?? 'text' }}
              label={words.forms.valueOf(labelOf(words, field), index + 1)}
              typed={one.value ?? ''}
              faults={known.filter(({ path }) => path.length > 0)}
              around={outer}
              choices={choices}
              onType={(value) => change(index, { ...one, value }, [key.trim()])}
            />
            {remove(index)}
          </div>
        );
      })}
      {add(() => ({ name: '', value: row === null ? '' : fresh(row) }))}
    </>
  );
}

/** One text, or one for each language. */
function Texts(props: FieldProps) {
  const words = useWords();
  const { field, typed, onType } = props;
  const label = labelOf(words, field);
  if (typeof typed === 'string')
    return (
      <div>
        <Input {...props} />
        <button
          type="button"
          className="pick quiet"
          onClick={() =>
            onType(
              [
                { name: 'en', value: typed },
                { name: '', value: '' },
              ],
              ofRows,
            )
          }
        >
          {words.forms.moreLanguages}
        </button>
      </div>
    );
  return (
    <fieldset className="group">
      <legend>
        {label}: {words.forms.byLanguage}
      </legend>
      <Pairs {...props} />
    </fieldset>
  );
}

function descriptionOf(words: Words, field: FormField, label: string): string {
  const described =
    words.descriptions[`${field.of}.${field.name}`] ?? words.descriptions[field.name] ?? field.description;
  const own =
    described.toLowerCase() === label.toLowerCase()
      ? ''
      : described.replaceAll(/\bnull:/g, `${words.forms.emptyMeans}:`);
  return field.kind === 'list' ? [own.replace(/[^.]$/, '$&.'), words.onePerLine].join(' ').trim() : own;
}

interface InputProps extends FieldProps {
  /** In a sentence: its label is not shown. */
  readonly isInline?: boolean;
  readonly label?: string;
}

function Input({ field, typed, faults, onType, isInline = false, label: named }: InputProps) {
  const words = useWords();
  const { kind, options, required } = field;
  const label = named ?? labelOf(words, field);
  const error = textOf(kind === 'list' || kind === 'commas' ? faults.map(counted) : faults);
  const change = (next: Typed) => onType(next, []);
  const described = descriptionOf(words, field, label);
  const description = kind === 'commas' ? words.forms.commas : described;
  const order = ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[];
  const common = isInline
    ? { 'aria-label': label, error, title: described, size: 'xs' as const }
    : { label, error, required, description, inputWrapperOrder: order };
  const text = typeof typed === 'string' ? typed : '';
  if (kind === 'flag')
    return (
      <Checkbox
        {...{ label, error, ...(isInline ? {} : { description }) }}
        checked={typed === true}
        onChange={(event) => change(event.currentTarget.checked)}
      />
    );
  if (kind === 'choices')
    return (
      <Checkbox.Group {...common} value={rowsIn(typed).map(String)} onChange={change}>
        <div className="choices">
          {options.map((option) => (
            <Checkbox key={option} value={option} label={optionLabel(words, field.name, option)} />
          ))}
        </div>
      </Checkbox.Group>
    );
  if (kind === 'choice')
    return (
      <NativeSelect
        {...common}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        data={[...(required && text !== '' ? [] : ['']), ...options].map((value) => ({
          value,
          label: value === '' ? words.unset : optionLabel(words, field.name, value),
        }))}
      />
    );
  if (kind === 'json' || (kind === 'long' && !isInline) || kind === 'list')
    return (
      <Textarea
        {...common}
        autosize={false}
        rows={kind === 'long' ? 2 : Math.min(22, Math.max(kind === 'json' ? 3 : 2, text.split('\n').length))}
        spellCheck={kind !== 'json'}
        classNames={kind === 'json' ? { input: 'mono' } : {}}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  if (kind === 'commas')
    return (
      <Textarea
        {...common}
        autosize={false}
        rows={text.includes('\n') ? Math.min(8, text.split('\n').length) : 1}
        value={text}
        {...(isInline ? { placeholder: words.forms.commas } : {})}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...common}
      type={isSecret(field.name) ? 'password' : kind === 'time' ? 'datetime-local' : 'text'}
      autoComplete="off"
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      {...(kind === 'span' ? { placeholder: spanExamples[field.unitSeconds] ?? '10m' } : {})}
      {...(kind === 'time' ? { max: '9999-12-31T23:59' } : {})}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
const spanExamples: Readonly<Record<number, string>> = { 60: '2h', 3600: '24h', 86400: '90d' };
