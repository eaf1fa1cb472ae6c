/** Errors on the way into a room. Each message says what to do. */

/** The client was removed from the room and may not come back; the message says why. */
export class RemovedFromRoom extends Error {
  override name = 'RemovedFromRoom';
  constructor(
    message: string,
    /** End of a ban, ISO 8601. */
    readonly until: string | null = null,
  ) {
    super(message);
  }
}

/** The room accepted the client, but sound could not get through. */
export class MediaUnreachable extends Error {
  override name = 'MediaUnreachable';
  constructor(
    message: string,
    /** Addresses that the room has named for sound, such as `192.0.2.7`. */
    readonly addresses: readonly string[] = [],
    /** UDP port of these addresses; null: the room has named none. */
    readonly port: number | null = null,
  ) {
    super(message);
  }
}

/** The rooms of the project belong to another provider, whose own client is needed. */
export class ForeignRooms extends Error {
  override name = 'ForeignRooms';
}
