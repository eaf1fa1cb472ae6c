/** Speakers and listeners as real WebRTC peers on loopback; offers are posted without candidates, as browsers' are cleaned. */
import { Audio, PeerConnection, type Track } from 'node-datachannel';

const payloadType = 111;
const samplesPerPacket = 960;
const quietMs = 300;

async function offered(peer: PeerConnection): Promise<string> {
  const gathered = new Promise<void>((resolve) =>
    peer.onGatheringStateChange((state) => {
      if (state === 'complete') resolve();
    }),
  );
  peer.setLocalDescription('offer');
  await gathered;
  const sdp = peer.localDescription()?.sdp ?? '';
  return sdp
    .split('\r\n')
    .filter((line) => !line.startsWith('a=candidate') && !line.startsWith('a=end-of-candidates'))
    .join('\r\n');
}

const connected = (peer: PeerConnection): Promise<void> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('The peer did not connect.')), 10_000);
    peer.onStateChange((state) => {
      if (state !== 'connected') return;
      clearTimeout(late);
      resolve();
    });
  });

const open = (name: string): PeerConnection =>
  new PeerConnection(name, {
    iceServers: [],
    disableAutoNegotiation: true,
    forceMediaTransport: true,
    bindAddress: '127.0.0.1',
  });

type Answering = (offerSdp: string) => Promise<string>;

async function join(peer: PeerConnection, answering: Answering): Promise<void> {
  const answer = await answering(await offered(peer));
  const ready = connected(peer);
  peer.setRemoteDescription(answer, 'answer');
  await ready;
}

/** Sends numbered packets that look like speech: the first payload bytes say which packet it is. */
export class Speaker {
  private readonly peer: PeerConnection;
  private readonly track: Track;
  private sequence = 0;

  constructor(name: string) {
    this.peer = open(name);
    const audio = new Audio('0', 'SendOnly');
    audio.addOpusCodec(payloadType);
    audio.addSSRC(4242, name, 'stream', 'track');
    this.track = this.peer.addTrack(audio);
  }

  join = (answering: Answering): Promise<void> => join(this.peer, answering);

  /** Sends one packet, numbered where no Opus frame is given; returns its number. */
  say(frame?: Uint8Array): number {
    const packet = frame === undefined ? Buffer.alloc(12 + 80, 0x5a) : Buffer.concat([Buffer.alloc(12), frame]);
    packet.writeUInt8(0x80, 0);
    packet.writeUInt8(payloadType, 1);
    packet.writeUInt16BE(this.sequence & 0xffff, 2);
    packet.writeUInt32BE((this.sequence * samplesPerPacket) >>> 0, 4);
    packet.writeUInt32BE(4242, 8);
    if (frame === undefined) packet.writeUInt32BE(this.sequence, 12);
    this.track.sendMessageBinary(packet);
    this.sequence += 1;
    return this.sequence - 1;
  }

  /** How many packets were sent until now: a packet spoken later has this number or a higher one. */
  get spoken(): number {
    return this.sequence;
  }

  /** Speaks for so many packets of 20 ms. */
  talk = (packets: number): Promise<void> => this.play(Array.from({ length: packets }, () => undefined));

  /** Plays Opus frames at the pace of speech. */
  async play(frames: readonly (Uint8Array | undefined)[]): Promise<void> {
    const start = performance.now();
    for (const [index, frame] of frames.entries()) {
      this.say(frame);
      const wait = start + (index + 1) * 20 - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  close(): void {
    this.peer.close();
  }
}

/** Keeps the numbers of what it hears. */
export class Listener {
  readonly heard: number[] = [];
  private readonly peer: PeerConnection;
  private readonly tracks: Track[];

  constructor(name: string, slots: number) {
    this.peer = open(name);
    this.tracks = Array.from({ length: slots }, (_, slot) => {
      const audio = new Audio(String(slot), 'RecvOnly');
      audio.addOpusCodec(payloadType);
      const track = this.peer.addTrack(audio);
      track.onMessage((data: Buffer) => {
        const isRtcp = data.readUInt8(1) >= 192 && data.readUInt8(1) <= 223;
        if (!isRtcp && data.length >= 16) this.heard.push(data.readUInt32BE(12));
      });
      return track;
    });
  }

  /** How many packets were heard that were spoken at that number or later. */
  heardSince = (spoken: number): number => this.heard.filter((number) => number >= spoken).length;

  /** Waits until no more packets arrive: a busy machine delivers late. */
  async settled(): Promise<number> {
    for (let before = -1; before !== this.heard.length; ) {
      before = this.heard.length;
      await new Promise((resolve) => setTimeout(resolve, quietMs));
    }
    return this.heard.length;
  }

  get slots(): number {
    return this.tracks.length;
  }

  join = (answering: Answering): Promise<void> => join(this.peer, answering);

  close(): void {
    this.peer.close();
  }
}
