/** The room process after many rooms: its memory, and how it ends. */
import { afterEach, describe, expect, it } from 'vitest';
import { closeCall, publishCall, stopCall, subscribeCall } from '../../daemon/modules/rooms/embedded/protocol.js';
import { mebibyte } from '../support/heap.js';
import { freeToSpeak, Listener, Speaker } from '../support/room-peers.js';
import { RoomProgram } from '../support/room-program.js';
import { scale } from '../support/scale.js';

const rooms = scale(60, 500);
/** After so many of them nothing new is compiled or cached. */
const warmUp = scale(20, 50);
const grownMax = scale(mebibyte / 4, mebibyte);
const slots = 8;

let program: RoomProgram;
afterEach(() => program.kill());

/** A speaker and a listener enter a room of their own, and leave it. */
async function openAndLeave(roomId: string): Promise<void> {
  const room = { projectId: 'p', roomId };
  const visitor = (name: string) => ({
    ...room,
    externalUserId: name,
    name,
    userData: {},
    tokenId: name,
    observer: false,
  });
  const leave = (externalUserId: string, resourceId: string) =>
    program.call(closeCall, { room, externalUserId, resourceId });
  const speaker = new Speaker('ann');
  const listener = new Listener('ben', slots);
  const resources: [string, string][] = [];
  await speaker.join(async (offerSdp) => {
    const request = { offerSdp, visitor: visitor('ann'), policy: freeToSpeak, seal: null };
    const { answerSdp, resourceId } = await program.call(publishCall, request);
    resources.push(['ann', resourceId]);
    return answerSdp;
  });
  await listener.join(async (offerSdp) => {
    const { answerSdp, resourceId } = await program.call(subscribeCall, {
      offerSdp,
      visitor: visitor('ben'),
      blocked: [],
    });
    resources.push(['ben', resourceId]);
    return answerSdp;
  });
  for (const one of resources) await leave(...one);
  speaker.close();
  listener.close();
}

describe(`the room process after ${rooms} rooms`, { timeout: 600_000 }, () => {
  it('has let go of them, and ends by itself when it is stopped', async () => {
    program = new RoomProgram();
    const heap = await program.heap();
    let first = 0;
    for (let index = 1; index <= rooms; index += 1) {
      await openAndLeave(`room-${index}`);
      if (index === warmUp) first = await heap.oldSpace();
    }
    const grown = (await heap.oldSpace()) - first;
    heap.close();
    expect(grown, `bytes more after ${rooms} rooms than after ${warmUp}`).toBeLessThan(grownMax);

    void program.call(stopCall, {});
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  it('ends by itself while people are in their rooms', async () => {
    program = new RoomProgram();
    const heap = await program.heap();
    const speaker = new Speaker('ann');
    const visitor = { externalUserId: 'ann', name: 'ann', userData: {}, tokenId: 'ann', observer: false };
    await speaker.join(async (offerSdp) => {
      const here = { projectId: 'p', roomId: 'room', ...visitor };
      return (await program.call(publishCall, { offerSdp, visitor: here, policy: freeToSpeak, seal: null })).answerSdp;
    });
    const silence = speaker.talkOn();
    await heap.oldSpace();
    heap.close();
    void program.call(stopCall, {});
    expect(await program.ended).toEqual({ code: 0, signal: null });
    await silence();
    speaker.close();
  });
});
