import type { ReactNode } from 'react';
import { Answer, type Reading } from './answer.js';
import './parts.css';

interface PlainTableProps {
  readonly head: readonly string[];
  readonly of: Reading<readonly (readonly ReactNode[])[]>;
  readonly empty?: string;
}

/** A short table in a panel, in the order of its rows. */
export const PlainTable = ({ of, ...table }: PlainTableProps) => (
  <Answer of={of}>{(rows) => <Rows {...table} rows={rows} />}</Answer>
);

interface RowsProps extends Omit<PlainTableProps, 'of'> {
  readonly rows: readonly (readonly ReactNode[])[];
}

function Rows({ head, rows, empty = '–' }: RowsProps) {
  if (rows.length === 0) return <p className="quiet">{empty}</p>;
  return (
    <table className="plain">
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, column) => (
              <td key={head[column]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
