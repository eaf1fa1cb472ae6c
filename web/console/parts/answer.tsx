/**
 * Shows what was read, and no sentence about it before: while it loads, where the daemon refuses it, and where no daemon
 * answers. Tables and lists take a `Reading`, so that none says "nothing" before its answer is there.
 */
import type { ReactNode } from 'react';
import { DaemonUnreachable } from '../../../src/client/errors.js';
import { useWords } from '../words/words.js';
import { Border } from './border.js';
import { Refusal } from './refusal.js';
import './answer.css';

/** A query, or what is taken from one. */
export interface Reading<T> {
  /** Undefined: no answer was there yet. */
  readonly data: T | undefined;
  readonly error: unknown;
  /** Why the latest attempt failed, while others follow. */
  readonly failureReason?: unknown;
  /** The answer belongs to other filters, until that of the present ones is there. */
  readonly isPlaceholderData?: boolean;
  readonly refetch?: (() => unknown) | undefined;
}

/** What needs no answer. */
export const known = <T,>(data: T): Reading<T> => ({ data, error: null });

/** A part of what is read. */
export function readingOf<T, Part>(
  { data, error, failureReason, isPlaceholderData = false, refetch }: Reading<T>,
  select: (data: T) => Part,
): Reading<Part> {
  return { error, failureReason, isPlaceholderData, refetch, data: data === undefined ? undefined : select(data) };
}

interface PendingProps {
  readonly of: Omit<Reading<unknown>, 'data'>;
}

/** Stands where no answer is there yet. */
export function Pending({ of: { error, failureReason, refetch } }: PendingProps) {
  const words = useWords();
  if (error !== null && error !== undefined)
    return <Refusal error={error} {...(refetch === undefined ? {} : { onRetry: () => void refetch() })} />;
  const isAway = failureReason instanceof DaemonUnreachable;
  return (
    <div className="skeleton" aria-busy="true">
      <span className={isAway ? 'warn' : 'unseen'}>{isAway ? words.unanswered : words.loading}</span>
      <i />
      <i />
      <i />
    </div>
  );
}

interface AnswerProps<T> {
  readonly of: Reading<T>;
  readonly children: (data: T) => ReactNode;
}

/** Draws within the border, so that what fails here is caught there. */
const Drawn = <T,>({ data, children }: { readonly data: T; readonly children: (data: T) => ReactNode }) =>
  children(data);

export function Answer<T>({ of, children }: AnswerProps<T>) {
  const { data, error, refetch } = of;
  if (data === undefined) return <Pending of={of} />;
  return (
    <>
      <Refusal error={error} {...(refetch === undefined ? {} : { onRetry: () => void refetch() })} />
      <Border of={data}>
        <Drawn data={data}>{children}</Drawn>
      </Border>
    </>
  );
}

interface ListProps<Row> {
  readonly of: Reading<readonly Row[]>;
  /** Stands where there is no row. */
  readonly empty: ReactNode;
  readonly label?: string;
  /** Long ones scroll by themselves. */
  readonly scrolls?: boolean;
  /** A `li` with a key. */
  readonly children: (row: Row) => ReactNode;
}

export function List<Row>({ of, empty, label, scrolls = false, children }: ListProps<Row>) {
  return (
    <Answer of={of}>
      {(rows) => (
        <>
          {rows.length === 0 && <p className="quiet">{empty}</p>}
          <ul className={scrolls ? 'list scrolling' : 'list'} {...(label === undefined ? {} : { 'aria-label': label })}>
            {rows.map((row) => children(row))}
          </ul>
        </>
      )}
    </Answer>
  );
}
