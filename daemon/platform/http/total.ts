/** How many rows a list has in all, on its answer. */
import type { Head } from './answer-headers.js';

export const totalHeader = 'X-Total-Count';

/** States the total of a list, where the answer says it or is the whole list; a handler may have stated it itself. */
export function stateTotal(head: Head, result: unknown): void {
  if (head.hasHeader(totalHeader)) return;
  if (Array.isArray(result)) head.setHeader(totalHeader, String(result.length));
  else if (typeof result === 'object' && result !== null) {
    const total: unknown = Reflect.get(result, 'total');
    if (typeof total === 'number') head.setHeader(totalHeader, String(total));
  }
}
