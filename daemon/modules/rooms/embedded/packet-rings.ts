/**
 * Packets that wait for a reader: a bounded ring per speaker, in which the oldest is dropped and counted. Speakers are
 * read in turn, so that a loud one does not crowd out the others. Used in both the room process and the daemon.
 */
export class PacketRings<Packet extends { readonly publicationId: string }> {
  private readonly rings = new Map<string, Packet[]>();
  dropped = 0;
  size = 0;

  constructor(private readonly packetsPerSpeaker: number) {}

  push(packet: Packet): void {
    const ring = this.rings.get(packet.publicationId) ?? [];
    if (ring.length === 0) this.rings.set(packet.publicationId, ring);
    ring.push(packet);
    this.size += 1;
    if (ring.length <= this.packetsPerSpeaker) return;
    ring.shift();
    this.size -= 1;
    this.dropped += 1;
  }

  /** The oldest packet of the speaker whose turn it is. */
  shift(): Packet | null {
    for (const [speaker, ring] of this.rings) {
      const packet = ring.shift();
      this.rings.delete(speaker);
      if (ring.length > 0) this.rings.set(speaker, ring); // back to the end: the next speaker's turn
      if (packet === undefined) continue;
      this.size -= 1;
      return packet;
    }
    return null;
  }

  /** Removes and returns up to `count` packets, speakers in turn. */
  take(count: number): Packet[] {
    const taken: Packet[] = [];
    for (let packet = this.next(taken, count); packet !== null; packet = this.next(taken, count)) taken.push(packet);
    return taken;
  }

  private next(taken: readonly Packet[], count: number): Packet | null {
    return taken.length < count ? this.shift() : null;
  }
}
