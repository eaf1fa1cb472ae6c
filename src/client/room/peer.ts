/** One WebRTC connection into a room. Our side makes the offer. */
export interface RoomPeer {
  /** The offer, to be sent as it is. */
  offer(): Promise<string>;
  /** Takes the room's answer. Throws when sound cannot flow. */
  accept(answerSdp: string): Promise<void>;
  /** May be called again, and while it connects: `offer` or `accept` then end. */
  close(): void;
}

/** `closed`: the room ended the connection; `lost`: the network did. Not called for a connection that we closed. */
export type PeerEnded = (how: 'closed' | 'lost') => void;
