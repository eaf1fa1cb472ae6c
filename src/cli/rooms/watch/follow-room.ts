/** Follows one room until the signal comes: who is there and speaks, and the events that concern it. */
import type { EarshotClient } from '../../../client/earshot-client.js';
import { EventStream } from '../../../client/event-stream.js';
import type { DomainEvent } from '../../../contract/events.js';
import { type Room, roomRoutes } from '../../../contract/rooms/rooms.js';
import type { PartialMessage } from '../../../contract/sessions/partial-messages.js';
import type { Session } from '../../../contract/sessions/sessions.js';
import { RoomScope, roomEventTypes } from '../../events/room-scope.js';
import type { KnownNames } from '../../names/known-names.js';
import { sessionOfRoom } from '../../names/rooms.js';
import { passes, poll, type Trouble } from '../../terminal/live/poll.js';
import { daemonNow } from '../../typed/daemon-clock.js';

const everyMs = 1_000;
/** Length of the transcript shown at the beginning. */
const backMs = 600_000;

export interface RoomWatcher {
  readonly until: AbortSignal;
  room(room: Room): void;
  session(session: Session | null): void;
  event(event: DomainEvent): void;
  partial(partial: PartialMessage): void;
  readonly trouble: Trouble;
}

/** Throws ApiError. */
export async function followRoom(
  client: EarshotClient,
  place: { readonly projectId: string; readonly roomId: string },
  names: KnownNames,
  watcher: RoomWatcher,
): Promise<void> {
  const { projectId, roomId } = place;
  const done = new AbortController();
  const until = done.signal;
  const end = (): void => done.abort();
  watcher.until.addEventListener('abort', end, { once: true });
  if (watcher.until.aborted) end();
  const readRoom = async () => watcher.room(await client.call(roomRoutes.get, { params: place }));
  // One that fails ends the other; the first error is the one that is thrown.
  const both = [poll(everyMs, until, readRoom, watcher.trouble), followEvents()];
  try {
    await Promise.race(both);
  } finally {
    watcher.until.removeEventListener('abort', end);
    end();
    await Promise.allSettled(both);
  }

  async function followEvents(): Promise<void> {
    const scope = new RoomScope(client, projectId, roomId);
    const since = new Date(daemonNow().getTime() - backMs).toISOString();
    const stream = new EventStream(client, { projectId, types: roomEventTypes, since, partials: true });
    until.addEventListener('abort', () => stream.close());
    let isFresh = false;
    /** The daemon may go away again at once: then with the next event. */
    const refresh = async (): Promise<void> => {
      try {
        await scope.load();
        watcher.session(await sessionOfRoom(client, { projectId }, roomId));
        isFresh = true;
      } catch (error) {
        if (!passes(error)) throw error;
      }
    };
    for await (const notice of stream) {
      if (notice.kind === 'lost') watcher.trouble(`Connection lost (${notice.reason}); trying again.`);
      else if (notice.kind === 'connected') {
        await refresh();
        watcher.trouble(null);
      } else if (notice.kind === 'partial') {
        if (notice.partial.roomId === roomId) watcher.partial(notice.partial);
      } else if (notice.kind === 'event') {
        if (!isFresh) await refresh();
        if (!scope.covers(notice.event)) continue;
        await names.learn(notice.event);
        watcher.event(notice.event);
      }
    }
  }
}
