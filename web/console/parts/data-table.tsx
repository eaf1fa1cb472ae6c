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
import {
  type Dispatch,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type SetStateAction,
  type SyntheticEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { usePreferences } from '../frame/preferences.js';
import { useWords } from '../words/words.js';
import { Answer, type Reading } from './answer.js';

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
  readonly of: Reading<readonly Row[]>;
  readonly columns: readonly Column<Row>[];
  readonly idOf: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  readonly chosen?: string | undefined;
  readonly empty: ReactNode;
  readonly height?: string;
  /** Called when the last rows come into view. */
  readonly onEnd?: (() => void) | undefined;
  /** Left out: rows cannot be selected. */
  readonly selection?: RowSelection | undefined;
}

/** Several rows chosen at once, by their ids. */
interface RowSelection {
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
}

/** The next rows are read when so few are left below. */
const rowsAhead = 40;
const heights = { compact: 32, comfortable: 42 } as const;

const filtersOf = ({ search }: { readonly search: object }) => JSON.stringify({ ...search, open: undefined });

/**
 * Keeps rows in the places that they had when the table was touched. What went away meanwhile stays as it was. Rows that were
 * touched under other filters of the address are not kept, nor rows that still are those of other filters.
 */
function useSteady<Row>(rows: readonly Row[], idOf: (row: Row) => string, isStale: boolean) {
  const filters = useLocation({ select: filtersOf });
  const [touched, setTouched] = useState<{ readonly filters: string; readonly rows: readonly Row[] } | null>(null);
  const held = touched?.filters === filters ? touched.rows : null;
  return useMemo(() => {
    const byId = new Map(rows.map((row) => [idOf(row), row]));
    const heldIds = new Set((held ?? rows).map(idOf));
    const renew = () => setTouched({ filters, rows });
    return {
      shown: held === null ? rows : held.map((row) => byId.get(idOf(row)) ?? row),
      waiting: rows.filter((row) => !heldIds.has(idOf(row))).length,
      hold: () => {
        if (held === null && !isStale) renew();
      },
      renew,
      release: () => setTouched(null),
    };
  }, [rows, held, filters, isStale, idOf]);
}

interface RowProps {
  readonly row: object;
  readonly index: number;
  readonly columns: readonly Column<object>[];
  readonly height: number;
  readonly isChosen: boolean;
  readonly onOpen: ((row: object) => void) | undefined;
  /** Left out: it cannot be selected. */
  readonly select?: { readonly label: string; readonly isSelected: boolean; readonly toggle: () => void };
}

/** Rows that stay in view are not drawn again while others scroll in. */
const TableRow = memo(({ row, index, columns, height, isChosen, onOpen, select }: RowProps) => {
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
        if (event.target !== event.currentTarget) return;
        if (event.key === 'Enter') open?.();
        if (event.key !== ' ' || select === undefined) return;
        event.preventDefault();
        select.toggle();
      }}
    >
      {select !== undefined && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box in it has the keys
        <td className="select" onClick={(event) => event.stopPropagation()}>
          <input type="checkbox" aria-label={select.label} checked={select.isSelected} onChange={select.toggle} />
        </td>
      )}
      {columns.map(({ id, cell, wide }) => (
        <td key={id} className={wide === true ? 'wide' : undefined}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
});

export function DataTable<Row extends object>({ of, empty, ...table }: DataTableProps<Row>) {
  const [sorting, setSorting] = useState<SortingState>([]);
  const isStale = of.isPlaceholderData === true;
  return (
    <Answer of={of}>
      {(rows) =>
        rows.length === 0 ? (
          <div className="empty">{empty}</div>
        ) : (
          <FilledTable {...table} rows={rows} isStale={isStale} sorting={sorting} onSort={setSorting} />
        )
      }
    </Answer>
  );
}

interface FilledTableProps<Row> extends Omit<DataTableProps<Row>, 'of' | 'empty'> {
  readonly rows: readonly Row[];
  /** The rows are those of other filters, until those of the present ones are read. */
  readonly isStale: boolean;
  readonly sorting: SortingState;
  readonly onSort: Dispatch<SetStateAction<SortingState>>;
}

function FilledTable<Row extends object>({
  label,
  rows,
  columns,
  idOf,
  onOpen,
  chosen,
  isStale,
  height = 'calc(100dvh - 190px)',
  onEnd,
  selection,
  sorting,
  onSort,
}: FilledTableProps<Row>) {
  const words = useWords();
  const [{ density }] = usePreferences();
  const scroller = useRef<HTMLElement>(null);
  const { shown, waiting, hold, renew, release } = useSteady(rows, idOf, isStale);
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
    onSortingChange: onSort,
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

  // Events of a dialog that a row has opened arrive here too.
  const onTouch = ({ currentTarget, target }: SyntheticEvent) => {
    if (currentTarget.contains(target as Node)) hold();
  };

  return (
    // The button is in the frame: it appears under the pointer without setting the rows free.
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing happens but that rows stay
    <div
      className="table-frame"
      onPointerEnter={onTouch}
      onPointerMove={onTouch}
      onPointerLeave={release}
      onFocus={onTouch}
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
              {selection !== undefined && <SelectAll selection={selection} ids={shown.map(idOf)} />}
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
                  {...(selection === undefined ? {} : { select: selectOf(selection, row.id, words.sanctions.select) })}
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

const toggled = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id]);

const selectOf = ({ ids, onChange }: RowSelection, id: string, label: string) => ({
  label,
  isSelected: ids.has(id),
  toggle: () => onChange(toggled(ids, id)),
});

function SelectAll({
  selection: { ids, onChange },
  ids: shown,
}: {
  readonly selection: RowSelection;
  readonly ids: string[];
}) {
  const areAll = shown.every((id) => ids.has(id));
  return (
    <th scope="col" className="select">
      <input
        type="checkbox"
        aria-label={useWords().sanctions.selectAll}
        checked={areAll}
        onChange={() => onChange(new Set(areAll ? [] : shown))}
      />
    </th>
  );
}
