/**
 * The forked process in which bots listen to rooms of LiveKit: its client is native code, which may not end the daemon. It
 * decodes what a person says, and encodes it anew as the packets that bots read. Ends with the daemon.
 */
import { Encoder } from '@evan/opus';
import { AudioStream, type RemoteTrack, Room, RoomEvent, TrackKind } from '@livekit/rtc-node';
import { z } from 'zod';
import { systemClock } from '../../../platform/time/clock.js';
import { PacketCounters } from '../embedded/counters.js';
import { TapFeed } from '../embedded/tap-feed.js';

const Request = z.union([
  z.object({ join: z.int(), url: z.string(), token: z.string() }),
  z.object({ leave: z.int() }),
]);

const frameMs = 20;
const sampleRate = 48_000;
const frameSamples = (sampleRate * frameMs) / 1_000;

/** By number of the tap. */
const rooms = new Map<number, Room>();
const tell = (message: object, sent: () => void = () => {}) => process.send?.(message, undefined, {}, sent);

async function join(tap: number, url: string, token: string): Promise<void> {
  const room = new Room();
  rooms.set(tap, room);
  const feed = new TapFeed((batch, sent) => {
    const next = () => {
      sent();
      feed.flush();
    };
    tell({ tap, ...batch }, next);
  }, new PacketCounters());
  room.on(RoomEvent.TrackSubscribed, (track, { sid = '' }, { identity, name = '' }) => {
    if (track.kind !== TrackKind.KIND_AUDIO) return;
    hear(track, feed, { externalUserId: identity, name: name || identity, publicationId: sid }).catch(() => {});
  });
  room.on(RoomEvent.Disconnected, () => {
    if (rooms.get(tap) === room) tell({ lost: tap });
  });
  try {
    await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  } catch (error) {
    if (rooms.get(tap) === room) tell({ lost: tap, because: error instanceof Error ? error.message : String(error) });
    return;
  }
  if (rooms.get(tap) !== room) await room.disconnect();
}

interface HeardPerson {
  readonly externalUserId: string;
  readonly name: string;
  readonly publicationId: string;
}

/** Until the track ends. What is silent is not sent: the timestamps say how long it lasted. */
async function hear(track: RemoteTrack, feed: TapFeed, person: HeardPerson): Promise<void> {
  const encoder = new Encoder({ channels: 1, sample_rate: sampleRate, application: 'voip' });
  let frames = 0;
  let sequence = 0;
  for await (const { data } of new AudioStream(track, { sampleRate, numChannels: 1, frameSizeMs: frameMs })) {
    frames += 1;
    if (data.length !== frameSamples || data.every((sample) => sample === 0)) continue;
    sequence = (sequence + 1) % 65_536;
    const timestamp = (frames * frameSamples) % 2 ** 32;
    const payload = Uint8Array.from(encoder.encode(data));
    feed.push({ ...person, audible: true, sequence, timestamp, stampMs: systemClock().getTime(), payload });
    feed.flush();
  }
}

async function leave(tap: number): Promise<void> {
  const room = rooms.get(tap);
  rooms.delete(tap);
  await room?.disconnect();
}

process.on('message', (message) => {
  const request = Request.parse(message);
  if ('leave' in request) leave(request.leave).catch(() => {});
  else join(request.join, request.url, request.token).catch(() => {});
});
process.on('disconnect', () => process.exit(0));
tell({ ready: true });
