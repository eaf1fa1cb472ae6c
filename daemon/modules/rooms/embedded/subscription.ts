/** One listener's slots: which speaker goes to which m-line, and the numbers that make each line one stream. */
import { randomInt } from 'node:crypto';
import type { SlotState, Visitor } from '../media/engine.js';
import type { PacketCounters } from './counters.js';
import { PacketWatch } from './packet-watch.js';
import { type RtpPacket, StreamRewriter, writeHeader } from './rtp.js';
import type { OfferedLine } from './sdp.js';
import { SlotBoard, type Voice } from './slots.js';

interface SlotLine {
  readonly offered: OfferedLine;
  readonly ssrc: number;
  readonly rewriter: StreamRewriter;
}

type SlotSender = (line: number, packet: Buffer) => boolean;

export class Subscription {
  readonly lines: readonly SlotLine[];
  private readonly board: SlotBoard;
  private readonly watch: PacketWatch;
  /** Set while connected; before that nothing is forwarded. */
  send: SlotSender | null = null;
  /** People of whom nothing is forwarded to the listener, by external user id. */
  blocked: ReadonlySet<string> = new Set();

  constructor(
    readonly id: string,
    readonly visitor: Visitor,
    offered: readonly OfferedLine[],
    private readonly counters: PacketCounters,
    private readonly changed: (slot: SlotState) => void,
    nowMs: number,
  ) {
    this.watch = new PacketWatch(nowMs);
    this.board = new SlotBoard(offered.length);
    this.lines = offered.map((line) => ({
      offered: line,
      ssrc: randomInt(1, 0xffffffff),
      rewriter: new StreamRewriter(randomInt(0x8000), randomInt(0xffffffff)),
    }));
  }

  /** Counts a packet of the listener, who sends reports and nothing else. False: it is one of a flood. */
  mayReceive = (data: Buffer, nowMs: number): boolean => this.watch.allows(data, nowMs);

  /** Sends the packet on the speaker's slot, if there is one. `outgoing` is scratch: its header is overwritten. */
  forward(speaker: Visitor, voice: Voice, packet: RtpPacket, outgoing: Buffer, nowMs: number): void {
    if (this.send === null || speaker.externalUserId === this.visitor.externalUserId) return;
    if (this.blocked.has(speaker.externalUserId)) return;
    const placement = this.board.place(voice, nowMs);
    const line = placement === null ? undefined : this.lines[placement.slot];
    if (placement === null || line === undefined) {
      if (voice.voiced) this.counters.drop('slots');
      return;
    }
    if (placement.fresh) this.announce(placement.slot, speaker.externalUserId);
    const numbers = line.rewriter.next(packet, nowMs, placement.fresh);
    if (numbers === null) return;
    writeHeader(outgoing, numbers, line.offered.opusPayloadType, line.ssrc);
    if (this.send(placement.slot, outgoing)) this.counters.packetsForwarded += 1;
    else this.counters.drop('unsent');
  }

  /** The speaker is muted or has left: the slot is free for others at once. */
  release(publicationId: string): void {
    const slot = this.board.release(publicationId);
    if (slot !== null) this.announce(slot, null);
  }

  releaseSilent(nowMs: number): void {
    for (const slot of this.board.releaseSilent(nowMs)) this.announce(slot, null);
  }

  private announce(slot: number, speaker: string | null): void {
    this.changed({ listener: this.visitor.externalUserId, resourceId: this.id, slot, speaker });
  }
}
