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
}

/** The rooms of the project belong to another provider, whose own client is needed. */
export class ForeignRooms extends Error {
  override name = 'ForeignRooms';
}
