/** Connections into rooms, as clients of the library make and close them. */
import { describe, expect, it } from 'vitest';
import { MediaPeer, opusLine } from '../../src/client/voice/media-peer.js';
import { survivors } from '../support/collect.js';

const listeners = 10;
const slots = 8;

/** Returns the hooks of a connection, which are in memory as long as the connection is. */
async function connectAndClose(): Promise<WeakRef<object>> {
  const hooks = { onPacket: () => {}, onEnded: () => {} };
  const lines = Array.from({ length: slots }, (_, slot) => opusLine(String(slot), 'RecvOnly'));
  const peer = new MediaPeer(lines, hooks);
  await peer.offer();
  peer.close();
  return new WeakRef(hooks);
}

describe('a connection into a room', () => {
  it('leaves nothing in memory when it is closed', async () => {
    const closed: WeakRef<object>[] = [];
    for (let index = 0; index < listeners; index += 1) closed.push(await connectAndClose());
    expect(await survivors(closed)).toBe(0);
  });
});
