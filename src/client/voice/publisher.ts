/** Speaks into a room: sends Opus frames at the pace of speech, encrypted where the room is. */
import { randomInt } from 'node:crypto';
import type { FrameCipher } from '../../media/frame-cipher.js';
import type { RoomAccess } from '../room/room-access.js';
import { RoomEvents } from '../room/room-events.js';
import { Seat } from '../room/seat.js';
import { frameMs, frameSamples } from './audio.js';
import { cipherFor } from './cipher-for.js';
import { MediaPeer, opusLine } from './media-peer.js';
import { audioLevelLine, writePacket } from './rtp.js';
import type { SpeechFrame } from './speech-frames.js';

/** Frames that may leave at once after a stall of this process; beyond that the pace starts anew. */
const catchUpFrames = 10;
const waitForSeatMs = 50;

export interface PublisherOptions {
  /** Called with a sentence about losses, returns and mutes. */
  readonly report?: (line: string) => void;
}

export interface PlayOptions {
  /** Ends the speech between two frames. */
  readonly signal?: AbortSignal;
  /** Milliseconds of speech that have been sent. */
  readonly onProgress?: (spokenMs: number) => void;
}

export class RoomPublisher {
  private readonly seat: Seat<MediaPeer>;
  private cipher: FrameCipher | null = null;
  private readonly ssrc = randomInt(1, 0xffffffff);
  private sequence = randomInt(0x10000);
  private timestamp = randomInt(0xffffffff);
  /** Packets sent. */
  packets = 0;

  constructor(
    private readonly access: RoomAccess,
    { report = () => {} }: PublisherOptions = {},
  ) {
    const events = new RoomEvents(access);
    this.seat = new Seat(access, events, {
      kind: 'whip',
      report,
      newPeer: (onEnded) => {
        const line = opusLine('0', 'SendOnly');
        line.parseSdpLine(audioLevelLine);
        line.addSSRC(this.ssrc, 'earshot', 'speech', 'speech');
        return new MediaPeer([line], { onPacket: () => {}, onEnded });
      },
      onEvent: (event) => {
        const why = 'reason' in event && event.reason !== null ? ` (${event.reason})` : '';
        if (event.type === 'room.muted') report(event.muted ? `Muted: nobody hears this${why}.` : 'No longer muted.');
        else if (event.type === 'room.limited')
          report(
            event.secondsPerMinute === null
              ? 'No longer limited.'
              : `Limited: others hear ${event.secondsPerMinute} s per minute${why}.`,
          );
        else if (event.type === 'room.warned') report(`A moderator warns you${why}.`);
        else if (event.type === 'room.announced') report(`Announcement: ${event.text}`);
        else if (event.type === 'room.notified') report(`Message to you: ${event.text}`);
      },
    });
    this.seat.ended.catch(() => {}).finally(() => events.close());
  }

  /** Resolves when we have left; rejects when the room has removed us. */
  get ended(): Promise<void> {
    return this.seat.ended;
  }

  /** Throws ApiError, DaemonUnreachable, MediaUnreachable. */
  async join(): Promise<void> {
    this.cipher = await cipherFor(this.access);
    await this.seat.enter();
  }

  /** Sends one frame now. False when it was not sent. */
  send({ opus, level }: SpeechFrame): boolean {
    const { cipher, access, ssrc, sequence, timestamp } = this;
    const payload = cipher === null ? opus : cipher.seal(opus, access.encryption?.keyIndex ?? 0);
    this.sequence = (sequence + 1) & 0xffff;
    this.timestamp = (timestamp + frameSamples) >>> 0;
    const sent = this.seat.peer?.send(writePacket({ sequence, timestamp, ssrc, level, payload })) ?? false;
    if (sent) this.packets += 1;
    return sent;
  }

  /** Speaks the frames at their pace; waits while the room is away. Rejects when we are out for good. */
  async play(frames: Iterable<SpeechFrame>, { signal, onProgress }: PlayOptions = {}): Promise<void> {
    let out: Error | null = null;
    this.seat.ended.catch((error: Error) => {
      out = error;
    });
    let [startedAt, paced] = [performance.now(), 0];
    let spokenMs = 0;
    for (const frame of frames) {
      while (this.seat.peer === null && out === null && signal?.aborted !== true) await delay(waitForSeatMs);
      if (out !== null) throw out;
      if (signal?.aborted === true) return;
      const ahead = startedAt + paced * frameMs - performance.now();
      if (ahead > 0) await delay(ahead);
      else if (ahead < -catchUpFrames * frameMs) [startedAt, paced] = [performance.now(), 0];
      this.send(frame);
      paced += 1;
      spokenMs += frameMs;
      onProgress?.(spokenMs);
    }
  }

  leave = (): Promise<void> => this.seat.leave();
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
