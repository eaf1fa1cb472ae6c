/**
 * Names the voice in a slot. Sound and names come separately: a speaker's first packet in a slot carries a marker, the
 * name comes over the event stream, and either may be first. Pure; the time is handed in.
 */

/** A name that no marker has claimed for this long is meant for what is coming: the marker was lost. */
const unclaimedMs = 500;
/** Packets that wait for their name: a second. */
const waitingMax = 50;
/** Names that wait for their packets. Older ones are for speakers whose packets were all lost. */
const announcedMax = 8;

export class SlotNames<Packet> {
  private speaker: string | null = null;
  private released = false;
  private announced: { speaker: string; atMs: number }[] = [];
  private waiting: Packet[] = [];

  constructor(private readonly deliver: (speaker: string, packet: Packet) => void) {}

  /** Packets that nobody could be found for. */
  unnamed = 0;

  /** The event stream says who has this slot now; null: nobody. */
  announce(speaker: string | null, nowMs: number): void {
    if (speaker === null) {
      this.released = true; // what is still on its way is the old speaker's; the next marker ends it
      return;
    }
    if (speaker === this.speaker && !this.released) return; // named again
    this.released = false;
    if (this.waiting.length === 0) this.announced.push({ speaker, atMs: nowMs });
    else this.begin(speaker);
    if (this.announced.length > announcedMax) this.announced.shift();
  }

  packet(packet: Packet, isFirst: boolean, nowMs: number): void {
    const [next] = this.announced;
    const overdue = next !== undefined && (this.speaker === null || nowMs - next.atMs > unclaimedMs);
    if (isFirst || overdue) {
      this.giveUp();
      this.announced.shift();
      this.speaker = next?.speaker ?? null;
    }
    if (this.speaker !== null) this.deliver(this.speaker, packet);
    else this.buffer(packet);
  }

  /** The room has restarted: slots have no names until the room sends them again. */
  forget(): void {
    this.giveUp();
    this.speaker = null;
    this.announced = [];
  }

  private begin(speaker: string): void {
    this.speaker = speaker;
    for (const packet of this.waiting.splice(0)) this.deliver(speaker, packet);
  }

  private buffer(packet: Packet): void {
    this.waiting.push(packet);
    if (this.waiting.length <= waitingMax) return;
    this.waiting.shift();
    this.unnamed += 1;
  }

  private giveUp(): void {
    this.unnamed += this.waiting.splice(0).length;
  }
}
