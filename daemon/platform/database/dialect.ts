/** The two databases, and what raw statements must write alike. */
export type Dialect = 'sqlite' | 'postgresql';

/** A time in the exact form in which Prisma stores it in SQLite; raw statements must write the same form. */
export const sqlTime = (time: Date): string => time.toISOString().replace('Z', '+00:00');

/** A statement with a `?` for each value → with parameters as the database writes them. */
export function written(dialect: Dialect, text: string): string {
  let place = 0;
  const next = () => {
    place += 1;
    return `$${place}`;
  };
  return dialect === 'sqlite' ? text : text.replaceAll('?', next);
}
