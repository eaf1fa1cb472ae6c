/** A UDP relay between a WebRTC client and the room process that loses RTP packets and lets others overtake them. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { chanceOf } from '../../daemon/commands/simulator/chance.js';

/** A packet that is overtaken goes out after so many later ones at most. */
const overtakenByMax = 3;

/** RFC 7983: the first byte tells RTP and RTCP from STUN and DTLS; RFC 5761: the second tells RTCP from RTP. */
const isRtp = (packet: Buffer): boolean => {
  const [first = 0, second = 0] = packet;
  return first >= 128 && first <= 191 && !(second >= 192 && second <= 223);
};

export class LossyRelay {
  lost = 0;
  passed = 0;
  private readonly random: () => number;
  private readonly held: { packet: Buffer; after: number }[] = [];
  private client: { port: number; address: string } | null = null;

  private constructor(
    private readonly front: Socket,
    private readonly back: Socket,
    private readonly share: number,
    seed: number,
  ) {
    this.random = chanceOf(seed);
  }

  /** @param share of the packets that are lost, and of those that are overtaken, 0–1 */
  static async open(share: number, seed: number): Promise<LossyRelay> {
    const sockets = [createSocket('udp4').bind(0, '127.0.0.1'), createSocket('udp4').bind(0, '127.0.0.1')] as const;
    await Promise.all(sockets.map((socket) => once(socket, 'listening')));
    return new LossyRelay(...sockets, share, seed);
  }

  /** The answer with this relay as the only address of the room. */
  between(answerSdp: string): string {
    const port = Number(/^a=candidate:\S+ \d \S+ \d+ \S+ (\d+) typ host/m.exec(answerSdp)?.[1]);
    this.back.on('message', (packet) => {
      if (this.client !== null) this.front.send(packet, this.client.port, this.client.address);
    });
    this.front.on('message', (packet, client) => {
      this.client = client;
      for (const one of isRtp(packet) ? this.through(packet) : [packet]) this.back.send(one, port, '127.0.0.1');
    });
    const lines = answerSdp.split('\r\n').filter((line) => !/^a=(candidate|end-of-candidates)/.test(line));
    const own = `a=candidate:1 1 UDP 2122317823 127.0.0.1 ${this.front.address().port} typ host`;
    const media = lines.findIndex((line) => line.startsWith('m=audio'));
    return [...lines.slice(0, media + 1), own, ...lines.slice(media + 1)].join('\r\n');
  }

  close(): void {
    this.front.close();
    this.back.close();
  }

  private through(packet: Buffer): Buffer[] {
    for (const one of this.held) one.after--;
    const due = this.held.filter(({ after }) => after <= 0).map((one) => one.packet);
    this.held.splice(0, this.held.length, ...this.held.filter(({ after }) => after > 0));
    if (this.random() < this.share) {
      this.lost++;
      return due;
    }
    this.passed++;
    if (this.random() >= this.share) return [packet, ...due];
    this.held.push({ packet, after: 1 + Math.floor(this.random() * overtakenByMax) });
    return due;
  }
}
