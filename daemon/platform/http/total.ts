/** How many rows a list has in all, on its answer. */
import type { ServerResponse } from 'node:http';

export const totalHeader = 'X-Total-Count';

/** States the total of a list, where the answer says it or is the whole list; a handler may have stated it itself. */
export function stateTotal(response: Pick<ServerResponse, 'setHeader' | 'hasHeader'>, result: unknown): void {
  if (response.hasHeader(totalHeader)) return;
  if (Array.isArray(result)) response.setHeader(totalHeader, result.length);
  else if (typeof result === 'object' && result !== null) {
    const total: unknown = Reflect.get(result, 'total');
    if (typeof total === 'number') response.setHeader(totalHeader, total);
  }
}
