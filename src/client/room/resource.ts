/** WHIP and WHEP as a client sees them (RFC 9725): an offer makes a resource, DELETE ends it. */
import { ApiError, DaemonUnreachable, failureOf, toApiError } from '../errors.js';
import { newIdempotencyKey } from '../idempotency-key.js';
import { withRepeats } from '../lost-answers.js';
import { refuseRedirect } from '../redirect.js';
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
  const sent = { contentType: 'application/sdp', body: offerSdp, idempotencyKey: null };
  const { url, text, headers } = await postTo(access, kind, sent, follows);
  return { answerSdp: text, location: new URL(headers.get('location') ?? '', url) };
}

interface Posted {
  /** Address that answered the request. */
  readonly url: URL;
  readonly headers: Answer['headers'];
  readonly text: string;
}

interface RoomPost {
  readonly contentType: string;
  readonly body: string;
  /** null: the operation takes none, so that nothing is sent again. */
  readonly idempotencyKey: string | null;
}

/**
 * Posts JSON to an address below that of the room; where the operation takes an Idempotency-Key, once more if the answer was
 * lost. Throws ApiError, DaemonUnreachable.
 */
export const postJson = (access: RoomAccess, path: string, body: object, takesKey = true): Promise<Posted> =>
  postTo(access, path, {
    contentType: 'application/json',
    body: JSON.stringify(body),
    idempotencyKey: takesKey ? newIdempotencyKey() : null,
  });

/** Posts to an address below that of the room; follows as `createResource`. Throws ApiError, DaemonUnreachable. */
async function postTo(
  access: RoomAccess,
  path: string,
  { contentType, body, idempotencyKey: key }: RoomPost,
  follows = true,
): Promise<Posted> {
  const headers = { 'Content-Type': contentType, ...(key === null ? {} : { 'Idempotency-Key': key }) };
  const post = (url: URL): Promise<Posted> =>
    withRepeats(url.origin, key === null ? 'never' : { key }, async () => {
      const response = await send(url, access, { method: 'POST', headers, body });
      const text = await response.text().catch((cause: unknown) => {
        throw new DaemonUnreachable(url.origin, cause);
      });
      if (!response.ok) throw toApiError(response, text);
      return { url, headers: response.headers, text };
    });
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
  await response.body?.cancel().catch(() => {});
}

/** Sends a request with the room token. Throws DaemonUnreachable, Redirected. */
export async function send(url: URL, { token }: RoomAccess, request: TransportRequest): Promise<Answer> {
  const headers = { ...request.headers, Authorization: `Bearer ${token}` };
  const answer = await byFetch(url, { ...request, headers, signal: AbortSignal.timeout(timeoutMs) }).catch(
    (cause: unknown) => {
      throw failureOf(url.origin, cause);
    },
  );
  refuseRedirect(answer, url, url.origin);
  return answer;
}
