/** Calls a daemon through openapi-fetch with the types that openapi-typescript made; prints what it saw as JSON. */
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './generated/openapi-typescript.js';
import { environment, sanctionIn } from './world.js';

const { url, apiKey, projectId, email, password, offerSdp } = environment;
const text = (body: unknown): string => String(body);

const anonymous = createClient<paths>({ baseUrl: url });
const client = createClient<paths>({ baseUrl: url, headers: { 'X-API-Key': apiKey } });
const path = { projectId };

const { data: login } = await anonymous.POST('/api/auth/login-credentials', { body: { email, password } });
assert(login);
const person = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${login.accessToken}` } });
const { data: projects } = await person.GET('/api/projects');
assert(projects?.some(({ id }) => id === projectId));

const made = await client.POST('/api/projects/{projectId}/participants', {
  params: { path },
  body: { externalUserId: 'fetch-1', userData: { level: 12, badges: ['fox'] } },
});
assert.equal(made.response.status, 201);
const list = await client.GET('/api/projects/{projectId}/participants', {
  params: { path, query: { limit: 10, search: 'fetch-1' } },
});
assert.deepEqual(list.data?.participants[0]?.userData, { level: 12, badges: ['fox'] });

const refused = await client.POST('/api/projects/{projectId}/sanctions', { params: { path }, body: { type: 'mute' } });
const refusal: components['schemas']['ErrorBody'] | undefined = refused.error;
assert.equal(refused.response.status, 400);
const unknown = await client.GET('/api/projects/{projectId}/sanctions/{id}', {
  params: { path: { projectId, id: 'none' } },
});
assert.equal(unknown.response.status, 404);
const stranger = await anonymous.GET('/api/projects');
assert.equal(stranger.response.status, 401);

const ending = new AbortController();
const stream = await client.GET('/api/projects/{projectId}/events/stream', {
  params: { path, query: { types: 'sanction.*' } },
  parseAs: 'stream',
  signal: ending.signal,
});
assert(stream.data);
const sanction = await client.POST('/api/projects/{projectId}/sanctions', {
  params: { path },
  body: { type: 'mute', externalUserId: 'fetch-1', duration: 600, metadata: { match: 'm-17' } },
});
assert.equal(sanction.data?.participant?.externalUserId, 'fetch-1');
const seen = await sanctionIn(stream.data);
ending.abort();

const { data: token } = await client.POST('/api/projects/{projectId}/token', {
  params: { path },
  body: { roomId: 'fetch', userId: 'fetch-2' },
});
assert(token);
const room = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token.token}` } });
const sdp = { headers: { 'Content-Type': 'application/sdp' }, bodySerializer: text, parseAs: 'text' } as const;
const here = { path: { roomId: 'fetch' } };
const broken = await room.POST('/rooms/{roomId}/whip', { params: here, body: 'no SDP', ...sdp });
assert.equal(broken.response.status, 400);
const joined = await room.POST('/rooms/{roomId}/whip', { params: here, body: offerSdp, ...sdp });
assert.equal(joined.response.status, 201);
const resourceId = joined.response.headers.get('Location')?.split('/').at(-1) ?? '';
const left = await room.DELETE('/rooms/{roomId}/whip/{resourceId}', {
  params: { path: { roomId: 'fetch', resourceId } },
});
const ready = await anonymous.GET('/health/ready');

const gone = await client.DELETE('/api/projects/{projectId}/participants/{id}', {
  params: { path: { projectId, id: made.data?.id ?? '' } },
});
assert.equal(gone.response.status, 204);

/** Compiles only while what is sent to subscriptions has its types. */
type Sent = webhooks['sanction.created']['post']['requestBody']['content']['application/json'];
export const reasonOf = ({ payload: { data } }: Sent): string | null => data.reason;
/** Compiles only while `type` tells the events of a room apart. */
export const peopleIn = (event: components['schemas']['RoomStreamEvent']): number =>
  event.type === 'room.state' ? event.people.length : 0;

console.log(
  JSON.stringify({
    refused: refusal?.code,
    unknown: unknown.error?.code,
    stranger: stranger.error?.code,
    streamed: seen,
    answered: joined.data?.slice(0, 3),
    left: left.response.status,
    ready: ready.data?.status,
  }),
);
