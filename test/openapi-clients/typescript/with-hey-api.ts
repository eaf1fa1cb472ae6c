/** Calls a daemon through the client that @hey-api/openapi-ts made; prints what it saw as JSON. */
import assert from 'node:assert/strict';
import { createClient, createConfig } from './generated/hey-api/client/index.js';
import {
  createParticipant,
  createSanction,
  deleteParticipant,
  generateAccessToken,
  generateProjectToken,
  getReadiness,
  getSanction,
  getUserInfo,
  listParticipants,
  listProjects,
  loginCredentials,
  publishSound,
  sendEvent,
  stopPublishing,
  streamProjectEvents,
  streamRoomEvents,
} from './generated/hey-api/sdk.gen.js';
import type { EventStreamData, RoomStreamEvent } from './generated/hey-api/types.gen.js';
import { environment } from './world.js';

const { url, apiKey, projectId, email, password, offerSdp } = environment;
const path = { projectId };
const signedIn = (credential: string) =>
  createClient(createConfig({ baseUrl: url, auth: ({ type }) => (type === 'http' ? credential : undefined) }));
const anonymous = createClient(createConfig({ baseUrl: url }));
const client = createClient(
  createConfig({ baseUrl: url, auth: ({ type }) => (type === 'apiKey' ? apiKey : undefined) }),
);

const { data: login } = await loginCredentials({ client: anonymous, body: { email, password } });
assert(login);
const { data: projects } = await listProjects({ client: signedIn(login.accessToken) });
assert(projects?.some(({ id }) => id === projectId));

const made = await createParticipant({ client, path, body: { externalUserId: 'hey-1', userData: { level: 12 } } });
assert.equal(made.response?.status, 201);
const list = await listParticipants({ client, path, query: { limit: 10, search: 'hey-1' } });
assert.equal(list.data?.participants[0]?.id, made.data?.id);

const refused = await createSanction({ client, path, body: { type: 'mute' } });
assert.equal(refused.response?.status, 400);
const unknown = await getSanction({ client, path: { projectId, id: 'none' } });
const stranger = await listProjects({ client: anonymous });

const isEvent = (data: EventStreamData) => 'type' in data;
const ending = new AbortController();
const { stream } = await streamProjectEvents({ client, path, query: { types: 'sanction.*' }, signal: ending.signal });
const follow = (async () => {
  for await (const data of stream) if (isEvent(data) && data.type === 'sanction.created') return data.type;
  return null;
})();
/** The stream begins when it is read; what happened before is replayed only to those who ask. */
const until = setInterval(() => {
  void createSanction({ client, path, body: { type: 'warn', externalUserId: 'hey-1' } });
}, 500);
const streamed = await follow;
clearInterval(until);
ending.abort();

const token = await generateProjectToken({ client, path, body: { roomId: 'hey', userId: 'hey-2' } });
const room = signedIn(token.data?.token ?? '');
const here = { client: room, path: { roomId: 'hey' } };
const leaving = new AbortController();
const first = await streamRoomEvents({ ...here, signal: leaving.signal });
let state: RoomStreamEvent['type'] | null = null;
for await (const event of first.stream) {
  state = event.type === 'room.state' && event.roomId === 'hey' ? event.type : null;
  break;
}
leaving.abort();
/** SDP goes out as it is; the client would write it as JSON. */
const sdp = { bodySerializer: null, parseAs: 'text' } as const;
const broken = await publishSound({ ...here, ...sdp, body: 'no SDP' });
const joined = await publishSound({ ...here, ...sdp, body: offerSdp });
const resourceId = joined.response?.headers.get('Location')?.split('/').at(-1) ?? '';
const left = await stopPublishing({ client: room, path: { roomId: 'hey', resourceId } });

const player = await generateAccessToken({
  client,
  body: { user_id: 'hey-3' },
  headers: { 'X-Project-Id': projectId },
});
const game = signedIn(player.data?.token ?? '');
const counted = await sendEvent({
  client: game,
  query: { auth: 'access_token' },
  body: { event_name: 'kill-enemy', meta_data: { amount: 1 } },
});
const info = await getUserInfo({ client: game });
assert.deepEqual(info.data, { username: null, avatarImage: null });
const ready = await getReadiness({ client: anonymous });
const gone = await deleteParticipant({ client, path: { projectId, id: made.data?.id ?? '' } });
assert.equal(gone.response?.status, 204);

console.log(
  JSON.stringify({
    refused: refused.error?.code,
    unknown: unknown.error?.code,
    stranger: stranger.error?.code,
    streamed,
    state,
    broken: broken.response?.status,
    answered: joined.data?.slice(0, 3),
    left: left.response?.status,
    counted: counted.data?.message,
    ready: ready.data?.status,
  }),
);
