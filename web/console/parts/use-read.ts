/** Reads by an operation of the contract. The key of the query begins with its operationId. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { CallInput, Result, Route } from '../../../src/contract/route.js';
import { useRefresh } from '../live/use-live.js';
import { client } from '../session/session.js';

interface UseReadOptions {
  readonly enabled?: boolean;
  /** Reads again soon after events of these types, or of types that begin so. */
  readonly after?: readonly string[];
  readonly refetchInterval?: number;
}

const isSamePath = (one: unknown, other: unknown): boolean =>
  JSON.stringify(Reflect.get(Object(one), 'params')) === JSON.stringify(Reflect.get(Object(other), 'params'));

export function useRead<R extends Route>(
  route: R,
  input: CallInput<R>,
  { after = [], ...options }: UseReadOptions = {},
): UseQueryResult<Result<R>> {
  useRefresh([route.operationId], ...after);
  return useQuery({
    ...options,
    queryKey: [route.operationId, input],
    queryFn: (): Promise<Result<R>> => client.call(route, input),
    // Of other filters, until the answer is there; never of another thing.
    placeholderData: (before, query) => (isSamePath(query?.queryKey[1], input) ? before : undefined),
  }) as UseQueryResult<Result<R>>;
}
