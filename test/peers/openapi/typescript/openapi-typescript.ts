import createClient from 'openapi-fetch';
import { make, world } from './calls.js';
import type { components, paths, webhooks } from './generated/schema.js';

const clientOf = (key: string) => createClient<paths>({ baseUrl: world.url, headers: { 'X-API-Key': key } });
const client = clientOf(world.apiKey);
const path = { projectId: world.projectId };
const sanctions = '/api/projects/{projectId}/sanctions';

await make({
  ready: async () => (await client.GET('/health/ready')).data?.status,
  participant: async (externalUserId) =>
    (await client.POST('/api/projects/{projectId}/participants', { params: { path }, body: { externalUserId } })).data,
  sanction: async (externalUserId) =>
    (await client.POST(sanctions, { params: { path }, body: { type: 'mute', externalUserId } })).data,
  page: async (externalUserId, limit) =>
    (await client.GET(sanctions, { params: { path, query: { externalUserId, limit } } })).data,
  revoke: async (id) =>
    (await client.POST(`${sanctions}/{id}/revoke`, { params: { path: { ...path, id } }, body: {} })).data?.status,
  conflict: async (id, reason) =>
    (await client.PATCH(`${sanctions}/{id}`, { params: { path: { ...path, id } }, body: { reason } })).response.status,
  unknown: async (id) => (await client.GET(`${sanctions}/{id}`, { params: { path: { ...path, id } } })).response.status,
  event: async (user_id, score) =>
    (await client.POST('/api/v1/events', { body: { user_id, event_name: 'achieve-score', metadata: { score } } })).data
      ?.message,
  score: async (memberId) => {
    const { data } = await client.GET('/api/projects/{projectId}/leaderboards/{id}/members/{memberType}/{memberId}', {
      params: { path: { ...path, id: world.boardId, memberType: 'user', memberId } },
    });
    return data?.member.score;
  },
  upload: async (events) => (await client.POST('/api/v1/events/batch', { body: { events } })).data?.results.length,
  stranger: async (key) =>
    (await clientOf(key).GET('/api/projects/{projectId}/participants', { params: { path } })).response.status,
  remove: async (id) =>
    (await client.DELETE('/api/projects/{projectId}/participants/{id}', { params: { path: { ...path, id } } })).response
      .status,
});

/** Compiles only while what is sent to subscriptions has its types. */
type Sent = webhooks['sanction.created']['post']['requestBody']['content']['application/json'];
export const reasonOf = ({ payload: { data } }: Sent): string | null => data.reason;
/** Compiles only while `type` tells the events of a room apart. */
export const peopleIn = (event: components['schemas']['RoomStreamEvent']): number =>
  event.type === 'room.state' ? event.people.length : 0;
