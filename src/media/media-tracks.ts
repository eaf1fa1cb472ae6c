/**
 * Media tracks of node-datachannel, kept in memory until the library has let go of them. It lists each track by its
 * memory address until the track has reported that it is closed, and its `cleanup` closes all that are listed. A track
 * that is garbage-collected before that report makes `cleanup` use freed memory, which ends the process by a signal.
 */
import type { Audio, PeerConnection, Track } from 'node-datachannel';

const listed = new Set<Track>();

/** Adds the line to the connection. Every track must be closed: an open one stays in memory with its callbacks. */
export function addTrack(connection: PeerConnection, line: Audio): Track {
  const track = connection.addTrack(line);
  listed.add(track);
  // Not before the callback has returned: only then does the library take the track off its list.
  track.onClosed(() => setImmediate(() => listed.delete(track)));
  return track;
}

/**
 * Sends a packet. False when the track is not open; the library throws instead when another thread of its own closes the
 * track between the two calls.
 */
export function sendPacket(track: Pick<Track, 'isOpen' | 'sendMessageBinary'> | undefined, packet: Buffer): boolean {
  try {
    return track?.isOpen() === true && track.sendMessageBinary(packet);
  } catch {
    return false;
  }
}
