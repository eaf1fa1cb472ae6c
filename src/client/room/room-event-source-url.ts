/** A room's event stream for the browser's own EventSource, which cannot send a credential. */
import type { StreamTicket } from '../../contract/streams/stream-tickets.js';
import { postJson } from './resource.js';
import type { RoomAccess } from './room-access.js';

/**
 * Returns the address of the room's event stream for `new EventSource(url)`. It opens one stream, once, within 30 seconds, from
 * this program's address, or from `address` (an IP address, or `any`). Throws ApiError, DaemonUnreachable.
 */
export async function roomEventSourceUrl(access: RoomAccess, { address }: { address?: string } = {}): Promise<string> {
  const { url, text } = await postJson(access, 'events/stream-tickets', { address }, false);
  const { ticket }: StreamTicket = JSON.parse(text);
  const stream = new URL('../events', url);
  stream.searchParams.set('ticket', ticket);
  return stream.href;
}
