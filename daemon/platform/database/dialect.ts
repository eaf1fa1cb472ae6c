/** The two databases, and what raw statements must write alike. */
export type Dialect = 'sqlite' | 'postgresql';

/** A time in the exact form in which Prisma stores it in SQLite; raw statements must write the same form. */
export const sqlTime = (time: Date): string => time.toISOString().replace('Z', '+00:00');
