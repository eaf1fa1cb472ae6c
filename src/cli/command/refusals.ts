/** Refusals that a command passes over, because what it asked for only adds to its answer. */
import { ApiError } from '../../client/errors.js';

const isRefusal = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof ApiError && statuses.includes(error.status);

/** The credential does not open it. */
export const isClosed = (error: unknown): boolean => isRefusal(error, 401, 403);

/** It is gone, or the credential does not open it. */
export const isOutOfSight = (error: unknown): boolean => isRefusal(error, 403, 404);

/** Handler for `catch`: returns no rows for a refusal that is ignored, and throws every other error. */
export const noneWhere =
  (passesOver: (error: unknown) => boolean) =>
  (error: unknown): never[] => {
    if (passesOver(error)) return [];
    throw error;
  };

/** Asks for each of the first `max` ids, a call each; those that the caller may not see are left out. */
export async function eachInSight(
  ids: readonly string[],
  max: number,
  ask: (id: string) => Promise<unknown>,
): Promise<void> {
  for (const id of [...new Set(ids)].slice(0, max))
    await ask(id).catch((error: unknown) => {
      if (!isOutOfSight(error)) throw error;
    });
}
