import type { ReactNode } from 'react';
import './parts.css';

/** Names and values of one thing. */
export const Facts = ({ of }: { readonly of: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="facts">
    {of.map(([name, value]) => (
      <div key={name} className="fact">
        <dt>{name}</dt>
        <dd>{value ?? '–'}</dd>
      </div>
    ))}
  </dl>
);
