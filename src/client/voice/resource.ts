/** WHIP and WHEP as a client sees them (RFC 9725): an offer makes a resource, DELETE ends it. */
import { DaemonUnreachable, toApiError } from '../earshot-client.js';
import type { RoomAccess } from './room-access.js';

const timeoutMs = 10_000;

export interface Resource {
  readonly answerSdp: string;
  /** What DELETE ends. */
  readonly location: URL;
}

/** Throws ApiError, DaemonUnreachable. */
export async function createResource(access: RoomAccess, kind: 'whip' | 'whep', offerSdp: string): Promise<Resource> {
  const url = new URL(`${access.url}/${kind}`);
  const response = await send(url, access, { method: 'POST', body: offerSdp });
  const answerSdp = await response.text();
  if (!response.ok) throw toApiError(response, answerSdp);
  return { answerSdp, location: new URL(response.headers.get('location') ?? '', url) };
}

/** Done as well when the room has ended it before us. Throws DaemonUnreachable. */
export async function deleteResource(access: RoomAccess, location: URL): Promise<void> {
  const response = await send(location, access, { method: 'DELETE' });
  await response.body?.cancel();
}

async function send(url: URL, { token }: RoomAccess, init: { method: string; body?: string }): Promise<Response> {
  const type: Record<string, string> = init.body === undefined ? {} : { 'Content-Type': 'application/sdp' };
  try {
    return await fetch(url, {
      ...init,
      headers: { Authorization: `Bearer ${token}`, ...type },
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (cause) {
    throw new DaemonUnreachable(url.origin, cause);
  }
}
