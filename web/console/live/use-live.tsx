import { useQueryClient } from '@tanstack/react-query';
import { createContext, type PropsWithChildren, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { EarshotEvent } from '../../../src/contract/events.js';
import { kept, type QueryKey } from './kept.js';
import { followLive } from './live.js';

type OnEvent = (event: EarshotEvent) => void;
interface Live {
  readonly listen: (onEvent: OnEvent) => () => void;
  /** Why nothing comes at the moment; null: all is well. */
  readonly lostFor: string | null;
}

const LiveContext = createContext<Live>({ listen: () => () => {}, lostFor: null });
export const useLiveState = (): string | null => useContext(LiveContext).lostFor;

/** Calls the listener with each event of the project from now on. */
export function useEvents(onEvent: OnEvent): void {
  const { listen } = useContext(LiveContext);
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(() => listen((event) => latest.current(event)), [listen]);
}

const gatherMs = 300;

/** Reads the queries again that begin with the key, so many milliseconds after an event that is wanted. */
export function useRefreshOn(
  key: readonly unknown[],
  isWanted: (event: EarshotEvent) => boolean,
  delayMs = gatherMs,
): void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEvents((event) => {
    if (timer.current !== undefined || !isWanted(event)) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      void queries.invalidateQueries({ queryKey: key });
    }, delayMs);
  });
}

/** Reads the queries again that begin with the key, soon after an event whose type begins with one of these. */
export function useRefresh(key: QueryKey, ...types: readonly string[]): void {
  useRefreshOn(key, ({ type }) => types.some((start) => type.startsWith(start)));
  const [asText, typesAsText] = [JSON.stringify(key), types.join()];
  useEffect(
    () => kept.add(JSON.parse(asText), typesAsText === '' ? [] : typesAsText.split(',')),
    [asText, typesAsText],
  );
}

export function LiveProvider({ projectId, children }: PropsWithChildren<{ readonly projectId: string }>) {
  const queries = useQueryClient();
  const [lostFor, setLostFor] = useState<string | null>(null);
  const listeners = useRef(new Set<OnEvent>());
  useEffect(() => {
    const over = new AbortController();
    const onEvent = (event: EarshotEvent) => {
      for (const listener of listeners.current) listener(event);
      // What no page shows is read again once a page shows it, where the event may have changed it.
      const predicate = ({ queryKey }: { readonly queryKey: QueryKey }) => kept.mayChange(queryKey, event);
      void queries.invalidateQueries({ type: 'inactive', refetchType: 'none', predicate });
    };
    const onGap = () => void queries.invalidateQueries();
    const onState = (reason: string | null) => {
      kept.isLive = reason === null;
      setLostFor(reason);
    };
    followLive(projectId, { onEvent, onGap, onState }, over.signal);
    return () => {
      over.abort();
      kept.isLive = false;
      void queries.invalidateQueries({ refetchType: 'none' });
    };
  }, [projectId, queries]);
  const live = useMemo<Live>(
    () => ({
      lostFor,
      listen: (onEvent) => {
        listeners.current.add(onEvent);
        return () => listeners.current.delete(onEvent);
      },
    }),
    [lostFor],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}
