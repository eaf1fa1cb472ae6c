/** Speaks a WAV file into a room. Loaded only by its command, because it loads native code. */
import { readFile, stat } from 'node:fs/promises';
import type { RoomAccess } from '../../../client/room/room-access.js';
import { endMedia } from '../../../client/voice/media-peer.js';
import { RoomPublisher } from '../../../client/voice/publisher.js';
import { speechFrames, speechSeconds } from '../../../client/voice/speech-frames.js';
import { type Recording, readWav, recordingBytesMax } from '../../../client/voice/wav-file.js';
import { untilEnd } from '../../../terminal/interruption.js';
import { UsageError } from '../../../terminal/usage-error.js';

/** Silence that lets the room notice the end of the sentence. */
const silenceMs = 1_000;

export interface SpeakOptions {
  readonly access: RoomAccess;
  readonly recording: Recording;
  readonly signal: AbortSignal;
  readonly onProgress: (spokenSeconds: number) => void;
  readonly printLine: (line: string) => void;
}

/** Throws UsageError where there is no such file, UnusableRecording. */
export async function recordingIn(file: string): Promise<Recording> {
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile()) throw new UsageError(`There is no file ${file}.`);
  if (found.size > recordingBytesMax) throw new UsageError(`${file} is larger than 256 MiB. Split it.`);
  return readWav(await readFile(file));
}

/** Throws ApiError, DaemonUnreachable, MediaUnreachable, RemovedFromRoom. */
export async function speak({ access, recording, signal, onProgress, printLine }: SpeakOptions) {
  const publisher = new RoomPublisher(access, { report: printLine });
  const whole = speechSeconds(recording);
  let seconds = 0;
  try {
    await Promise.race([publisher.join(), untilEnd(signal, null)]);
    await publisher.play(speechFrames(recording, silenceMs), {
      signal,
      onProgress: (spokenMs) => {
        seconds = Math.min(whole, spokenMs / 1_000);
        onProgress(seconds);
      },
    });
  } finally {
    await publisher.leave();
    endMedia();
  }
  return { seconds: Math.round(seconds * 100) / 100, packets: publisher.packets };
}
