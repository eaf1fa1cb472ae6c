/** Audio packet that the bot receives from the tap of a room. */

/** One Opus frame of one speaker. A new `publicationId` is a new stream, with a sequence and a clock of its own. */
export interface BotPacket {
  readonly externalUserId: string;
  readonly publicationId: string;
  /** False under shadow_mute: nobody but the bot hears it. */
  readonly audible: boolean;
  /** RTP sequence number, 16 bits. */
  readonly sequence: number;
  /** RTP timestamp, 32 bits at 48 kHz. */
  readonly timestamp: number;
  /** Milliseconds since the epoch. */
  readonly arrivedAtMs: number;
  /** May be encrypted end to end. */
  readonly payload: Uint8Array;
}

/** All that is said in one room. Ends after close(). */
export interface PacketSource extends AsyncIterable<BotPacket> {
  /** Packets that were lost because they were not read in time. */
  readonly dropped: number;
  /** Shows everybody in the room how many seconds of each speaker are held in memory; 0: none. */
  keeps(seconds: number): void;
  close(): void;
}
