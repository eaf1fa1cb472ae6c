/** One WebRTC connection into a room, ours the side that offers: all that a place in a room needs to know of it. */
export interface RoomPeer {
  /** The offer, to be sent as it is. */
  offer(): Promise<string>;
  /** Takes the room's answer. Throws when sound cannot flow. */
  accept(answerSdp: string): Promise<void>;
  /** May be called again, and while it connects: `offer` or `accept` then end. */
  close(): void;
}

/** `closed`: the room ended the connection; `lost`: the network did. Never told of a connection that we closed. */
export type PeerEnded = (how: 'closed' | 'lost') => void;
