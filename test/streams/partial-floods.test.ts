/** Floods of what people are saying: each stream gets one write now and then, with the newest text of each utterance. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { PartialMessages } from '../../daemon/modules/sessions/partial-messages.js';
import { PartialMessage } from '../../src/contract/sessions/partial-messages.js';
import type { RawFrame, RawStream } from '../support/stream.js';
import { startHub, type TestHub } from '../support/stream-hub.js';

const [readers, speakers, texts] = [20, 10, 100];
const startMs = 1_000;

let streams: TestHub;
afterEach(() => streams.stop());

const spoken = (speaker: number, text: number, projectId = 'p'): PartialMessage => ({
  ...{ projectId, sessionId: 's', roomId: 'r', externalUserId: `speaker ${speaker}`, senderName: `Speaker ${speaker}` },
  ...{ content: `text ${text}`, timestamp: '2026-01-01T00:00:00.000Z', startMs, shadowMuted: false },
});
/** Everything up to the event, which is stored after all was said. */
async function upToEvent(stream: RawStream): Promise<RawFrame[]> {
  const frames: RawFrame[] = [];
  while (frames.at(-1)?.event !== null) frames.push(await stream.next());
  return frames;
}

it('reach each reader as the newest text of each speaker, a few times in all, and before what is stored later', async () => {
  const speech = new PartialMessages();
  const reach = async () => ({ tenantId: 't', projects: new Set(['p']), tenantBut: null, audit: false });
  streams = await startHub({ reach, speech });
  await streams.follower.start();
  const open = await Promise.all(Array.from({ length: readers }, (_, index) => streams.open(`key ${index}`, 'p')));
  for (let text = 1; text <= texts; text += 1) {
    for (let speaker = 0; speaker < speakers; speaker += 1) speech.publish('t', spoken(speaker, text));
    speech.publish('t', spoken(0, text, 'of somebody else'));
    await nextTurn();
  }
  await streams.store('p');
  for (const stream of open) {
    const frames = await upToEvent(stream);
    const said = frames.slice(0, -1).map(({ data }) => PartialMessage.parse(data));
    expect(said.length).toBeLessThan((speakers * texts) / 2);
    expect(new Set(said.map(({ projectId }) => projectId))).toEqual(new Set(['p']));
    const newest = new Map(said.map(({ externalUserId, content }) => [externalUserId, content]));
    expect([...newest.values()]).toEqual(Array.from({ length: speakers }, () => `text ${texts}`));
    stream.close();
  }
});
