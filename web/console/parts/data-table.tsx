/**
 * A table of any length: only the rows in view are in the page. While the pointer is on it, or the focus in it, rows keep their
 * places: they change in place, and new ones wait behind a button.
 */
import { Button } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import {
  type ColumnDef,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { usePreferences } from '../frame/preferences.js';
import { useWords } from '../words/words.js';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
});

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** What rows are ordered by; left out: the column cannot be sorted by. */
  readonly sort?: (row: Row) => string | number;
  /** Left out on narrow screens. */
  readonly wide?: boolean;
  readonly width?: string;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly idOf: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  readonly chosen?: string | undefined;
  readonly empty: ReactNode;
  readonly height?: string;
  /** Called when the last rows come into view. */
  readonly onEnd?: (() => void) | undefined;
}

/** The next rows are read when so few are left below. */
const rowsAhead = 40;
const heights = { compact: 32, comfortable: 42 } as const;

/** What the filters in the address ask for. */
const questionOf = ({ search }: { readonly search: object }) => JSON.stringify({ ...search, open: undefined });
/** The answer to changed filters comes within this time. Until then, rows are those that were there before. */
const answerMs = 2_000;

/**
 * Rows in the places that they had when the table was touched. What went away meanwhile stays as it was. Where the filters in the
 * address change, the rows are others, wherever the pointer is.
 */
function useSteady<Row>(rows: readonly Row[], idOf: (row: Row) => string) {
  const question = useLocation({ select: questionOf });
  const [asked, setAsked] = useState({ question, before: null as readonly Row[] | null, at: 0 });
  const [held, setHeld] = useState<readonly Row[] | null>(null);
  if (asked.question !== question) {
    setAsked({ question, before: rows, at: Date.now() });
    setHeld(null);
  }
  return useMemo(() => {
    const { before: old, at } = asked;
    const isUnanswered = () =>
      old?.length === rows.length &&
      Date.now() - at < answerMs &&
      rows.every((row, index) => idOf(row) === idOf(old[index] ?? row));
    const byId = new Map(rows.map((row) => [idOf(row), row]));
    const shown = held === null ? rows : held.map((row) => byId.get(idOf(row)) ?? row);
    const heldIds = new Set((held ?? rows).map(idOf));
    return {
      shown,
      waiting: rows.filter((row) => !heldIds.has(idOf(row))).length,
      hold: () => setHeld((before) => before ?? (isUnanswered() ? null : rows)),
      renew: () => setHeld(rows),
      release: () => setHeld(null),
    };
  }, [rows, held, asked, idOf]);
}

interface RowProps {
  readonly row: object;
  readonly index: number;
  readonly columns: readonly Column<object>[];
  readonly height: number;
  readonly isChosen: boolean;
  readonly onOpen: ((row: object) => void) | undefined;
}

/** Rows that stay in view are not drawn again while others scroll in. */
const TableRow = memo(({ row, index, columns, height, isChosen, onOpen }: RowProps) => {
  const open = onOpen === undefined ? undefined : () => onOpen(row);
  return (
    <tr
      data-row=""
      data-chosen={isChosen || undefined}
      aria-rowindex={index + 2}
      style={{ height }}
      tabIndex={open === undefined ? undefined : 0}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget) open?.();
      }}
    >
      {columns.map(({ id, cell, wide }) => (
        <td key={id} className={wide === true ? 'wide' : undefined}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
});

export function DataTable<Row extends object>({
  label,
  rows,
  columns,
  idOf,
  onOpen,
  chosen,
  empty,
  height = 'calc(100dvh - 190px)',
  onEnd,
}: DataTableProps<Row>) {
  const words = useWords();
  const [{ density }] = usePreferences();
  const [sorting, setSorting] = useState<SortingState>([]);
  const scroller = useRef<HTMLElement>(null);
  const { shown, waiting, hold, renew, release } = useSteady(rows, idOf);
  const definitions = useMemo(
    () =>
      columns.map(
        ({ id, label: header, sort }): ColumnDef<typeof features, Row, unknown> =>
          sort === undefined ? { id, header, enableSorting: false } : { id, header, accessorFn: sort, sortFn: 'basic' },
      ),
    [columns],
  );
  const table = useTable({
    features,
    columns: definitions,
    data: shown as Row[],
    getRowId: idOf,
    state: { sorting },
    onSortingChange: setSorting,
  });
  const sorted = table.getRowModel().rows;
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => heights[density],
    overscan: 12,
  });
  const inView = virtual.getVirtualItems();
  const isAtEnd = (inView.at(-1)?.index ?? 0) >= sorted.length - rowsAhead;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);
  const above = inView[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (inView.at(-1)?.end ?? 0);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    const row = (event.target as HTMLElement).closest('tr[data-row]');
    if (step === undefined || row === null || event.target !== row) return;
    event.preventDefault();
    const next = step > 0 ? row.nextElementSibling : row.previousElementSibling;
    if (next instanceof HTMLElement && next.dataset.row !== undefined) next.focus();
  };

  if (rows.length === 0) return <div className="empty">{empty}</div>;
  return (
    // The button is in the frame: it appears under the pointer without setting the rows free.
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing happens but that rows stay
    <div
      className="table-frame"
      onPointerEnter={hold}
      onPointerMove={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) release();
      }}
    >
      {waiting > 0 && (
        <Button className="held" size="compact-xs" onClick={({ detail }) => (detail > 0 ? renew() : release())}>
          {words.held(waiting)}
        </Button>
      )}
      <section
        ref={scroller}
        className="table-scroller"
        style={{ maxHeight: height }}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <table className="data" aria-rowcount={rows.length + 1}>
          <thead>
            <tr>
              {columns.map(({ id, label: header, sort, wide, width }) => {
                const column = table.getColumn(id);
                const order = column?.getIsSorted() ?? false;
                return (
                  <th
                    key={id}
                    scope="col"
                    className={wide === true ? 'wide' : undefined}
                    style={width === undefined ? undefined : { width }}
                    aria-sort={order === false ? undefined : order === 'asc' ? 'ascending' : 'descending'}
                  >
                    {sort === undefined ? (
                      header
                    ) : (
                      <button type="button" onClick={() => column?.toggleSorting()}>
                        {header} {order === 'asc' ? '↑' : order === 'desc' ? '↓' : ''}
                      </button>
                    )}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {above > 0 && <tr style={{ height: above }} />}
            {inView.map(({ index }) => {
              const row = sorted[index];
              if (row === undefined) return null;
              return (
                <TableRow
                  key={row.id}
                  row={row.original}
                  index={index}
                  columns={columns as readonly Column<object>[]}
                  height={heights[density]}
                  isChosen={row.id === chosen}
                  onOpen={onOpen as RowProps['onOpen']}
                />
              );
            })}
            {below > 0 && <tr style={{ height: below }} />}
          </tbody>
        </table>
      </section>
    </div>
  );
}
