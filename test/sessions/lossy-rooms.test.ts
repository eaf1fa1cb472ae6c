/** A room on a bad network: real WebRTC clients behind relays that lose and disorder RTP, up to the stored transcript. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chanceOf } from '../../daemon/commands/simulator/chance.js';
import { MediaPeer, opusLine } from '../../src/client/voice/media-peer.js';
import { writePacket } from '../../src/client/voice/rtp.js';
import { type SpeechFrame, speechFrames } from '../../src/client/voice/speech-frames.js';
import { readWav } from '../../src/client/voice/wav-file.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { LossyRelay } from '../support/lossy-relay.js';
import { markedVoice, voiceIn } from '../support/marked-voices.js';
import { answering } from '../support/room-client.js';
import { scale, torture } from '../support/scale.js';
import { clip, joined, loudPart, recording, speechForTests } from '../support/speech-clips.js';

const speech = await speechForTests();
const patienceMs = 60_000;
const timesWithinMs = 300;
const frameMs = 20;
const ticksPerFrame = 960;
const people = scale(3, 20);

/** One person, behind a network of their own. */
class DistantSpeaker {
  /** When each frame was sent, ms since the epoch. */
  readonly sentAt: number[] = [];
  private readonly peer: MediaPeer;

  constructor(
    private readonly ssrc: number,
    private readonly relay: LossyRelay,
  ) {
    const line = opusLine('0', 'SendOnly');
    line.addSSRC(ssrc, 'earshot', 'speech', 'speech');
    this.peer = new MediaPeer([line], { onPacket: () => {}, onEnded: () => {} });
  }

  async join(answer: (offer: string) => Promise<string>): Promise<void> {
    await this.peer.accept(this.relay.between(await answer(await this.peer.offer())));
  }

  async speak(frames: readonly SpeechFrame[]): Promise<void> {
    const startedAt = performance.now();
    for (const [index, { opus, level }] of frames.entries()) {
      const aheadMs = startedAt + index * frameMs - performance.now();
      if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs));
      this.sentAt.push(Date.now());
      const timestamp = index * ticksPerFrame;
      this.peer.send(writePacket({ sequence: index, timestamp, ssrc: this.ssrc, level, payload: opus }));
    }
  }

  close(): void {
    this.peer.close();
    this.relay.close();
  }
}

describe.skipIf(speech === null)('a room on a bad network', () => {
  if (speech === null) return;
  let daemon: TestDaemon;
  let recogniser: Server;
  const told: { language: string | undefined; prompt: string | undefined }[] = [];
  beforeAll(async () => {
    // Says whose voice it hears, in the language that it was told.
    recogniser = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const wav = body.subarray(body.indexOf('RIFF'));
      const isAsked = request.method === 'POST';
      const field = (name: string) =>
        new RegExp(`name="${name}"\\r\\n\\r\\n(.*)\\r\\n`).exec(body.toString('latin1'))?.[1];
      const language = field('language');
      if (isAsked) told.push({ language, prompt: field('prompt') });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(isAsked ? { text: `voice ${voiceIn(samplesIn(wav))}`, language } : { data: [] }));
    });
    await once(recogniser.listen(0, '127.0.0.1'), 'listening');
    const { port } = recogniser.address() as AddressInfo;
    daemon = await startDaemon({
      settings: { EARSHOT_TRANSCRIBER: 'openai', EARSHOT_OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    });
  });
  afterAll(async () => {
    await daemon.stop();
    recogniser.close();
  });

  it.each(torture ? [0.01, 0.05, 0.1, 0.2] : [0.1])(
    `writes down what ${people} people say at once, each in time, with %d of the packets lost`,
    async (share) => {
      const { client, admin, url } = daemon;
      const { id: projectId } = await admin.call(projectRoutes.create, {
        body: { name: `loss ${share} ${randomUUID()}` },
      });
      const params = { projectId };
      await client.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded' } });
      await client.call(settingsRoutes.update, {
        params,
        body: { speechLanguage: 'es', speechVocabulary: ['Roshan', 'mid lane'] },
      });
      const body = { title: 'loss', externalRoomId: 'r', language: 'de' }; // for this session instead of the project's
      const { id } = await client.call(sessionRoutes.create, { params, body });
      const path = { params: { projectId, id } };
      await eventually(async () => {
        expect((await client.call(sessionRoutes.get, path)).bot.state).toBe('listening');
      }, patienceMs);
      const tenOfClubs = await clip(speech, 'cards/001');
      const random = chanceOf(1);
      const all = await Promise.all(
        Array.from({ length: people }, async (_, voice) => {
          const pcm = markedVoice(tenOfClubs, voice);
          const waits = 0.5 + Math.round(random() * 100) / 50;
          const frames = [...speechFrames(recording(joined(waits, pcm)), 1_500)];
          const relay = await LossyRelay.open(share, voice);
          const speaker = new DistantSpeaker(voice + 1, relay);
          const body = { roomId: 'r', userId: `u${voice}`, ...(voice === 0 ? { language: 'fr-CA' } : {}) };
          const { token } = await client.call(tokenRoutes.generateForProject, { params, body });
          await speaker.join(answering(url, 'whip', 'r', token));
          const loud = loudPart(pcm);
          return {
            voice,
            speaker,
            relay,
            frames,
            firstLoud: Math.round((waits * 1_000 + loud.startMs) / frameMs),
            loud,
          };
        }),
      );
      try {
        await Promise.all(all.map(({ speaker, frames }) => speaker.speak(frames)));
        const spoken = await eventually(async () => {
          const messages = await client.call(sessionRoutes.messages, path);
          const found = messages.filter(({ origin }) => origin === 'speech');
          expect(found).toHaveLength(people);
          return found;
        }, patienceMs);
        for (const { voice, speaker, firstLoud, loud } of all) {
          const [message] = spoken.filter(({ externalUserId }) => externalUserId === `u${voice}`);
          expect(message).toMatchObject({ content: `voice ${voice}`, language: voice === 0 ? 'fr' : 'de' });
          const startedAt = Date.parse(message?.timestamp ?? '');
          expect(Math.abs(startedAt - (speaker.sentAt[firstLoud] ?? 0))).toBeLessThan(timesWithinMs);
          const spokenMs = (message?.endMs ?? 0) - (message?.startMs ?? 0);
          expect(Math.abs(spokenMs - (loud.endMs - loud.startMs))).toBeLessThan(timesWithinMs);
        }
        expect(new Set(told.map(({ prompt }) => prompt))).toEqual(new Set(['Roshan, mid lane']));
        const [lost, passed] = [all.map(({ relay }) => relay.lost), all.map(({ relay }) => relay.passed)].map(
          (counts) => counts.reduce((sum, count) => sum + count, 0),
        );
        expect((lost ?? 0) / ((lost ?? 0) + (passed ?? 0))).toBeGreaterThan(share / 3);
      } finally {
        for (const { speaker } of all) speaker.close();
      }
    },
    120_000,
  );
});

function samplesIn(wav: Buffer): Int16Array {
  const { length, at } = readWav(wav);
  return Int16Array.from({ length }, (_, index) => Math.round(at(index) * 32_767));
}
