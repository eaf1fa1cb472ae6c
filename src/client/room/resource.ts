/** WHIP and WHEP as a client sees them (RFC 9725): an offer makes a resource, DELETE ends it. */
import { ApiError, DaemonUnreachable, toApiError } from '../errors.js';
import { type Answer, byFetch, type TransportRequest } from '../transport.js';
import type { RoomAccess } from './room-access.js';

const timeoutMs = 10_000;

/** Speaks, or listens. */
export type ResourceKind = 'whip' | 'whep';

interface Resource {
  readonly answerSdp: string;
  /** Address that DELETE ends. */
  readonly location: URL;
}

/** Follows once to the daemon that has the rooms now, unless `follows` is false. Throws ApiError, DaemonUnreachable. */
export async function createResource(
  access: RoomAccess,
  kind: ResourceKind,
  offerSdp: string,
  follows = true,
): Promise<Resource> {
  const { url, text, headers } = await postTo(access, kind, 'application/sdp', offerSdp, follows);
  return { answerSdp: text, location: new URL(headers.get('location') ?? '', url) };
}

interface Posted {
  /** Address that answered the request. */
  readonly url: URL;
  readonly headers: Answer['headers'];
  readonly text: string;
}

/** Posts to an address below that of the room; follows as `createResource`. Throws ApiError, DaemonUnreachable. */
export async function postTo(
  access: RoomAccess,
  path: string,
  contentType: string,
  body: string,
  follows = true,
): Promise<Posted> {
  const post = async (url: URL): Promise<Posted> => {
    const response = await send(url, access, { method: 'POST', headers: { 'Content-Type': contentType }, body });
    const text = await response.text();
    if (!response.ok) throw toApiError(response, text);
    return { url, headers: response.headers, text };
  };
  try {
    return await post(new URL(`${access.url}/${path}`));
  } catch (error) {
    const elsewhere = addressElsewhere(error);
    if (elsewhere === null || !follows) throw error;
    return post(elsewhere);
  }
}

/** Address that a daemon without the voice rooms names in its refusal (421); null: it is another error. */
export function addressElsewhere(error: unknown): URL | null {
  if (!(error instanceof ApiError) || error.code !== 'room_elsewhere') return null;
  const named = error.details.find(({ path }) => path === 'url')?.message ?? '';
  return URL.canParse(named) ? new URL(named) : null;
}

/** Done as well when the room has ended it before us; a page may be closed meanwhile. Throws DaemonUnreachable. */
export async function deleteResource(access: RoomAccess, location: URL): Promise<void> {
  const response = await send(location, access, { method: 'DELETE', headers: {}, keepalive: true });
  await response.body?.cancel();
}

/** Sends a request with the room token. Throws DaemonUnreachable. */
export async function send(url: URL, { token }: RoomAccess, request: TransportRequest): Promise<Answer> {
  const headers = { ...request.headers, Authorization: `Bearer ${token}` };
  try {
    return await byFetch(url, { ...request, headers, signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    throw new DaemonUnreachable(url.origin, cause);
  }
}
