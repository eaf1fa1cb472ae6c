/** Rows of a long list, read page by page as far as somebody has scrolled. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Reading } from './answer.js';

const pageRows = 200;

interface PageOf<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** @param load reads the page that begins after `offset` rows */
export function usePages<Row extends { readonly id: string }>(
  queryKey: readonly unknown[],
  load: (page: { limit: number; offset: number }) => Promise<PageOf<Row>>,
  enabled = true,
) {
  const { data, error, failureReason, refetch, fetchNextPage, hasNextPage, isFetching, isPlaceholderData } =
    useInfiniteQuery({
      queryKey,
      enabled,
      queryFn: ({ pageParam }) => load({ limit: pageRows, offset: pageParam }),
      initialPageParam: 0,
      getNextPageParam: ({ total }, pages) => {
        const read = pages.reduce((sum, { rows }) => sum + rows.length, 0);
        return read < total ? read : undefined;
      },
      placeholderData: (before) => before,
    });
  // A row that came in between has pushed another onto the next page.
  const rows = useMemo(() => {
    const all = data?.pages.flatMap((page) => page.rows);
    return all && [...new Map(all.map((row) => [row.id, row])).values()];
  }, [data]);
  return {
    rows: { data: rows, error, failureReason, refetch, isPlaceholderData } satisfies Reading<readonly Row[]>,
    total: data?.pages.at(-1)?.total ?? 0,
    /** Reads the next page; undefined where there is none. */
    onEnd: hasNextPage && !isFetching ? () => void fetchNextPage() : undefined,
  };
}
