/** Follows `GET /rooms/{roomId}/events` by fetch, since EventSource cannot send the token; reconnects by itself. */
import type { RoomStreamEvent } from '../../src/contract/rooms/room-events.js';
import { pause } from './pause.js';
import { type Refusal, refusalOf } from './refusal.js';

export interface RoomFollower {
  event(event: RoomStreamEvent): void;
  /** The connection is gone and is being sought again; every new one begins with `room.state`. */
  lost(): void;
  /** The token does not open the room (any more); nothing follows. */
  refused(refusal: Refusal): void;
}

/** The daemon sends a comment every 15 s; after this the line counts as dead. */
const silenceMs = 40_000;

/** Resolves when the signal aborts or the token is refused. */
export async function followRoom(
  { roomUrl, token, signal }: { roomUrl: string; token: string; signal: AbortSignal },
  follower: RoomFollower,
): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const abort = new AbortController();
    try {
      const response = await fetch(`${roomUrl}/events`, {
        headers: { Authorization: `Bearer ${token}` },
        signal: AbortSignal.any([abort.signal, signal]),
        cache: 'no-store',
      });
      if (!response.ok) {
        const refusal = await refusalOf(response);
        if (!refusal.isPassing) return follower.refused(refusal);
      } else if (response.body !== null) {
        attempt = 0;
        for await (const block of blocks(response.body, abort)) {
          const event = eventIn(block);
          if (event !== null) follower.event(event);
        }
      }
    } catch {
      // Not reachable, or cut: both are mended by trying again.
    }
    if (signal.aborted) return;
    follower.lost();
    await pause(attempt);
  }
}

async function* blocks(body: ReadableStream<Uint8Array<ArrayBuffer>>, abort: AbortController): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const dead = setTimeout(() => abort.abort(), silenceMs);
    const { done, value } = await reader.read().finally(() => clearTimeout(dead));
    if (done) return;
    const complete = (text + value).split('\n\n');
    text = complete.pop() ?? '';
    yield* complete;
  }
}

/** The event in a frame; null for comments and for what this page does not know. */
function eventIn(block: string): RoomStreamEvent | null {
  const line = block.split('\n').find((one) => one.startsWith('data: '));
  return line === undefined ? null : JSON.parse(line.slice('data: '.length));
}
