/** Some rows at a time, by their ids. */
import { rowsAtOnce } from './slices.js';

export const someIds = { select: { id: true }, take: rowsAtOnce } as const;
export const withIds = (rows: readonly { id: string }[]) => ({ where: { id: { in: rows.map(({ id }) => id) } } });
