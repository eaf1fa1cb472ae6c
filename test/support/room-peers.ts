/** Speakers and listeners whose packets carry their own number; connected by the client's media, wherever the offer goes. */
import type { SpeakingPolicy } from '../../daemon/modules/rooms/media/engine.js';
import { frameSamples } from '../../src/client/voice/audio.js';
import { MediaPeer, opusLine } from '../../src/client/voice/media-peer.js';
import { readPacket, writePacket } from '../../src/client/voice/rtp.js';

/** Nothing keeps them silent. */
export const freeToSpeak: SpeakingPolicy = { publish: true, audible: true, speakingSecondsPerMinute: null };

const ssrc = 4242;
const spokenLevel = 30;
const numberedBytes = 80;
/** Without a packet for this long nothing is on its way any more. */
const quietMs = 400;

type Answering = (offerSdp: string) => Promise<string>;

async function join(peer: MediaPeer, answering: Answering): Promise<void> {
  await peer.accept(await answering(await peer.offer()));
}

/** Sends numbered packets that look like speech: the first payload bytes say which packet it is. */
export class Speaker {
  /** When each packet was sent, by its number. */
  readonly saidAt: number[] = [];
  private readonly peer: MediaPeer;
  private sequence = 0;

  constructor(name: string) {
    const line = opusLine('0', 'SendOnly');
    line.addSSRC(ssrc, name, 'stream', 'track');
    this.peer = new MediaPeer([line], { onPacket: () => {}, onEnded: () => {} });
  }

  join = (answering: Answering): Promise<void> => join(this.peer, answering);

  /** Number of packets sent so far: later packets have this number or a higher one. */
  get spoken(): number {
    return this.sequence;
  }

  /** Speaks for so many packets of 20 ms, at the pace of speech. */
  async talk(packets: number): Promise<void> {
    const start = performance.now();
    for (let index = 1; index <= packets; index++) {
      this.say();
      const wait = start + index * 20 - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  /** Sends so many packets at once, as after a stall. */
  sayAtOnce(packets: number): void {
    for (let index = 0; index < packets; index++) this.say();
  }

  /** Speaks on until the function that it returns is called, which resolves after the last packet. */
  talkOn(): () => Promise<void> {
    let talking = true;
    const talk = async () => {
      while (talking) await this.talk(1);
    };
    const done = talk();
    return () => {
      talking = false;
      return done;
    };
  }

  close(): void {
    this.peer.close();
  }

  private say(): void {
    const payload = Buffer.alloc(numberedBytes, 0x5a);
    payload.writeUInt32BE(this.sequence, 0);
    const { sequence } = this;
    this.saidAt.push(performance.now());
    this.peer.send(writePacket({ sequence, timestamp: sequence * frameSamples, ssrc, level: spokenLevel, payload }));
    this.sequence += 1;
  }
}

/** Keeps the numbers of what it hears. */
export class Listener {
  readonly heard: number[] = [];
  /** When each of them was heard. */
  readonly heardAt: number[] = [];
  private readonly peer: MediaPeer;

  constructor(_name: string, slots: number) {
    const lines = Array.from({ length: slots }, (_, slot) => opusLine(String(slot), 'RecvOnly'));
    this.peer = new MediaPeer(lines, {
      onPacket: (_line, data) => {
        const packet = readPacket(data);
        if (packet?.payload.length !== numberedBytes) return;
        this.heard.push(Buffer.from(packet.payload).readUInt32BE(0));
        this.heardAt.push(performance.now());
      },
      onEnded: () => {},
    });
  }

  /** Counts the packets heard among those spoken at that number or later. */
  heardSince = (spoken: number): number => this.heard.filter((number) => number >= spoken).length;

  /** Waits until no more packets arrive: a busy machine delivers late. */
  async settled(): Promise<number> {
    for (let before = -1; before !== this.heard.length; ) {
      before = this.heard.length;
      await new Promise((resolve) => setTimeout(resolve, quietMs));
    }
    return this.heard.length;
  }

  join = (answering: Answering): Promise<void> => join(this.peer, answering);

  close(): void {
    this.peer.close();
  }
}
