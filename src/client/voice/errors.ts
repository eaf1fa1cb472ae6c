/** What goes wrong on the way into a room. Each message says what to do. */

/** We are out of the room and may not come back; the message says why. */
export class RemovedFromRoom extends Error {
  override name = 'RemovedFromRoom';
}

/** The sound could not get through although the room let us in. */
export class MediaUnreachable extends Error {
  override name = 'MediaUnreachable';
}

/** Not a WAV file of PCM. */
export class UnusableRecording extends Error {
  override name = 'UnusableRecording';
}

/** The rooms of the project are carried by somebody else, whose own client is needed. */
export class ForeignRooms extends Error {
  override name = 'ForeignRooms';
}
