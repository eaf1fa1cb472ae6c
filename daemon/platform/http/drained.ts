/** Waits for the client of an answer that is written in parts. */
import type { ServerResponse } from 'node:http';

/** How long a client may read nothing. */
export const unreadMs = 30_000;

/** Resolves to true once the client has taken what was written; cuts off one that reads nothing. */
export function drained(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isTaken: boolean) => {
      clearTimeout(timer);
      response.off('drain', onDrain).off('close', onClose);
      if (!isTaken) response.destroy();
      resolve(isTaken);
    };
    const [onDrain, onClose] = [() => finish(true), () => finish(false)];
    const timer = setTimeout(onClose, unreadMs);
    response.on('drain', onDrain).on('close', onClose);
  });
}
