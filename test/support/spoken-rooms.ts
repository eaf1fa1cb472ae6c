/** Rooms in which recordings are spoken as people speak, and what the bot has written of each of them. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { accessOf } from '../../src/client/room/room-access.js';
import { RoomPublisher } from '../../src/client/voice/publisher.js';
import { speechFrames } from '../../src/client/voice/speech-frames.js';
import type { Recording } from '../../src/client/voice/wav-file.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import type { TestDaemon } from './daemon.js';
import { eventually } from './eventually.js';
import type { SpokenClip } from './moonshine.js';
import { clip, recording, type SpeechForTests } from './speech-clips.js';

const patienceMs = 120_000;
/** A busy machine takes this long for the longest piece of speech. */
const quietMs = 15_000;
/** A machine with two cores encodes, decodes and recognises for so many at once. */
const speakersAtOnce = 4;

/** The session of a room in which was spoken, and how many packets were sent. */
interface SpokenSession {
  readonly id: string;
  readonly sent: number;
}

/** The recordings of Debian's pocketsphinx-testdata that have their words beside them. */
export async function debianClips(from: SpeechForTests): Promise<SpokenClip[]> {
  const folder = join(from.clipsDir, 'usr/share/pocketsphinx/test/data');
  const lists = [
    { place: 'cards', file: 'cards/cards.transcription' },
    { place: 'librivox', file: 'librivox/transcription' },
  ];
  const clips = [
    { name: 'goforward', words: 'go forward ten meters', recording: recording(await clip(from, 'goforward')) },
  ];
  for (const { place, file } of lists) {
    const text = await readFile(join(folder, file), 'utf8');
    for (const [, words = '', name = ''] of text.matchAll(/^<s> (.*?)\s*<\/s> \((.*)\)$/gm))
      clips.push({ name, words, recording: recording(await clip(from, `${place}/${name}`)) });
  }
  return clips;
}

/**
 * Opens a session and joins its room at once, without waiting for the bot. Speakers are `u0`, `u1`, …; each states its language,
 * where it is named.
 */
export async function speakInto(
  daemon: TestDaemon,
  title: string,
  sounds: readonly Recording[],
  languages: readonly (string | undefined)[] = [],
): Promise<SpokenSession> {
  const params = { projectId: daemon.projectId };
  const roomId = `${title}-${randomUUID()}`; // a second attempt needs a room of its own
  const { id } = await daemon.client.call(sessionRoutes.create, { params, body: { title, externalRoomId: roomId } });
  const waiting = [...sounds.entries()];
  let sent = 0;
  const speaker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, sound] = next;
      const language = languages[index];
      const body = { roomId, userId: `u${index}`, ...(language === undefined ? {} : { language }) };
      const access = accessOf(await daemon.client.call(tokenRoutes.generateForProject, { params, body }));
      const publisher = await eventually(async () => {
        const one = new RoomPublisher(access);
        await one.join();
        return one;
      }, patienceMs); // a busy machine takes long to start the process of the rooms
      await publisher.play(speechFrames(sound, 1_000), { signal: AbortSignal.timeout(90_000), onProgress: () => {} });
      await publisher.leave();
      sent += publisher.packets;
    }
  };
  await Promise.all(Array.from({ length: speakersAtOnce }, speaker));
  return { id, sent };
}

/** All that was written of each speaker, once nothing follows any more. */
export async function writtenIn(daemon: TestDaemon, { id, sent }: SpokenSession): Promise<Map<string, string>> {
  const path = { params: { projectId: daemon.projectId, id } };
  await eventually(async () => {
    const { packets, missed } = (await daemon.client.call(sessionRoutes.get, path)).bot.counters;
    // Missed: more than eight seconds, where the first recogniser takes longer to load. A machine that recognises on every core
    // loses some packets on their way.
    expect(packets + missed).toBeGreaterThan(sent * 0.98);
  }, patienceMs);
  let before = '';
  await eventually(async () => {
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    const now = JSON.stringify(await daemon.client.call(sessionRoutes.messages, path));
    const isSettled = now === before;
    before = now;
    expect(isSettled).toBe(true);
  }, patienceMs);
  const messages = await daemon.client.call(sessionRoutes.messages, path);
  const written = new Map<string, string>();
  // A line that is marked as nobody's words is not said to be spoken.
  const spoken = messages.filter(({ origin, asr }) => origin === 'speech' && asr?.unheard !== 'phantom');
  for (const { externalUserId, content } of spoken)
    written.set(externalUserId ?? '', `${written.get(externalUserId ?? '') ?? ''} ${content}`.trim());
  return written;
}
