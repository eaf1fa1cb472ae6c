/**
 * Events of the project, live. One tab of the browser follows the stream and passes each event on to the others; when it
 * closes, the next one continues after the last event that it saw itself. Each tab leaves out what it has had already.
 */

import { ApiError } from '../../../src/client/errors.js';
import type { EarshotEvent } from '../../../src/contract/events.js';
import { client, daemonNow } from '../session/session.js';
import { tabs } from '../session/tabs.js';

export interface LiveListener {
  readonly onEvent: (event: EarshotEvent) => void;
  /** Events were missed for good: whatever is shown must be read again. */
  readonly onGap: () => void;
  /** `reason`: why nothing comes at the moment; null: the stream is open. */
  readonly onState: (reason: string | null) => void;
}

/** As many ids are remembered; a new follower repeats far fewer events. */
const seenMax = 4_096;
const again = 5_000;
/** What the clock of the daemon may differ by though it is taken into account, and a little more. */
const overlapMs = 6_000;

/** Follows until the signal ends it. */
export function followLive(projectId: string, listener: LiveListener, signal: AbortSignal): void {
  let lastEventId: string | null = null;
  /** A little before this tab began to read: until an event has come, it continues from here, so that nothing is missed between. */
  const beganAt = new Date(daemonNow() - overlapMs).toISOString();
  let isConnected = false;
  const seen = new Set<string>();
  const take = (event: EarshotEvent): boolean => {
    if (seen.has(event.id)) return false;
    seen.add(event.id);
    if (seen.size > seenMax) seen.delete(seen.values().next().value ?? '');
    lastEventId = event.id;
    listener.onEvent(event);
    return true;
  };
  const state = (lostFor: string | null) => tabs.send({ kind: 'stream.state', projectId, lastEventId, lostFor });

  const deaf = tabs.listen((message) => {
    if (!('projectId' in message) || message.projectId !== projectId) return;
    if (message.kind === 'stream.event') take(message.event);
    else if (message.kind === 'stream.gap') listener.onGap();
    else if (message.kind === 'stream.hello' && isConnected) state(null);
    else if (message.kind === 'stream.state') {
      lastEventId ??= message.lastEventId;
      listener.onState(message.lostFor);
    }
  });
  signal.addEventListener('abort', deaf);

  const lead = async (): Promise<void> => {
    while (!signal.aborted) {
      // A line that was cut may leave a stream that nothing comes from: back on the network, it is opened anew.
      const attempt = new AbortController();
      const anew = () => attempt.abort();
      signal.addEventListener('abort', anew);
      addEventListener('online', anew);
      try {
        const events = client.events({
          projectId,
          signal: attempt.signal,
          since: lastEventId ?? beganAt,
          onNotice: (notice) => {
            isConnected = notice.kind !== 'lost';
            const reason = notice.kind === 'lost' ? notice.reason : null;
            listener.onState(reason);
            state(reason);
            if (notice.kind !== 'gap') return;
            listener.onGap();
            tabs.send({ kind: 'stream.gap', projectId });
          },
        });
        for await (const event of events) if (take(event)) tabs.send({ kind: 'stream.event', projectId, event });
      } catch (error) {
        if (!attempt.signal.aborted) listener.onState(error instanceof Error ? error.message : String(error));
        if (error instanceof ApiError && error.status === 403) return;
      } finally {
        signal.removeEventListener('abort', anew);
        removeEventListener('online', anew);
        isConnected = false;
      }
      if (!attempt.signal.aborted) await new Promise((resolve) => setTimeout(resolve, again));
    }
  };

  tabs.send({ kind: 'stream.hello', projectId });
  if (!('locks' in navigator)) void lead();
  else navigator.locks.request(`earshot-console-stream:${projectId}`, { signal }, lead).catch(() => {}); // the signal ended the wait
}
