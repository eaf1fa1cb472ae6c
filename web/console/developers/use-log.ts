/** Reads the event log from a time on, and goes on as events happen. */
import { useEffect, useState } from 'react';
import type { EarshotEvent } from '../../../src/contract/events.js';
import { useProject } from '../frame/project.js';
import { client, daemonNow } from '../session/session.js';

export interface EventLogFilter {
  /** Comma-separated, with a trailing * as a wildcard. */
  readonly types: string;
  readonly user: string;
  readonly resources: string;
  readonly sinceMs: number;
}

interface Log {
  /** Newest first; undefined: whether there are any is not known yet. */
  readonly events: readonly EarshotEvent[] | undefined;
  readonly error: unknown;
  /** The events are those of another filter: the present one is still being typed. */
  readonly isStale: boolean;
  /** There are more events than a page can hold: what is shown is the beginning of the period. */
  readonly isCut: boolean;
}

export const logMax = 2_000;
/** Events that arrive within this time come onto the page together. */
const gatherMs = 250;
const nothing: Omit<Log, 'isStale'> = { events: undefined, error: null, isCut: false };
/** A stream that is silent for so long after it was opened has nothing to say yet. */
const silentMs = 1_500;

/** Filters are read this long after the last letter: each reading is a stream of its own. */
const restMs = 400;

function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

export function useLog(filter: EventLogFilter): Log {
  const { sinceMs } = filter;
  const [types, user, resources] = [useRested(filter.types), useRested(filter.user), useRested(filter.resources)];
  const { project } = useProject();
  const [log, setLog] = useState(nothing);
  useEffect(() => {
    const over = new AbortController();
    const taken: EarshotEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    setLog(nothing);
    const flush = () => {
      timer = undefined;
      if (!over.signal.aborted) setLog({ events: taken.toReversed(), error: null, isCut: taken.length >= logMax });
    };
    const read = async () => {
      const events = client.events({
        // The stream says only what happened: silence means that nothing did.
        onNotice: ({ kind }) => {
          if (kind === 'connected' && taken.length === 0) timer ??= setTimeout(flush, silentMs);
        },
        ...{ projectId: project.id, signal: over.signal, since: new Date(daemonNow() - sinceMs).toISOString() },
        ...(types === ''
          ? {}
          : {
              types: types
                .split(',')
                .map((one) => one.trim())
                .join(','),
            }),
        ...(user === '' ? {} : { user }),
        ...(resources === '' ? {} : { resources }),
      });
      for await (const event of events) {
        taken.push(event);
        if (taken.length === 1) clearTimeout(timer);
        if (taken.length === 1 || timer === undefined) timer = setTimeout(flush, gatherMs);
        if (taken.length >= logMax) return;
      }
    };
    read().catch((error: unknown) => {
      if (!over.signal.aborted) setLog((before) => ({ ...before, error }));
    });
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, [project.id, types, user, resources, sinceMs]);
  const isStale = types !== filter.types || user !== filter.user || resources !== filter.resources;
  return { ...log, isStale };
}
