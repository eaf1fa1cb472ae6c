import { make, world } from './calls.js';
import { createClient, createConfig } from './generated/client/index.js';
import {
  createParticipant,
  createSanction,
  deleteParticipant,
  getLeaderboardMember,
  getReadiness,
  getSanction,
  listParticipants,
  listSanctions,
  revokeSanction,
  sendEvent,
  sendEvents,
  updateSanction,
} from './generated/sdk.gen.js';

const clientOf = (key: string) =>
  createClient(createConfig({ baseUrl: world.url, auth: ({ type }) => (type === 'apiKey' ? key : undefined) }));
const client = clientOf(world.apiKey);
const path = { projectId: world.projectId };

await make({
  ready: async () => (await getReadiness({ client })).data?.status,
  participant: async (externalUserId) => (await createParticipant({ client, path, body: { externalUserId } })).data,
  sanction: async (externalUserId) =>
    (await createSanction({ client, path, body: { type: 'mute', externalUserId } })).data,
  page: async (externalUserId, limit) => {
    const { data } = await listSanctions({ client, path, query: { externalUserId, limit } });
    return data && { ...data, total: Number(data.total) };
  },
  revoke: async (id) => (await revokeSanction({ client, path: { ...path, id }, body: {} })).data?.status,
  conflict: async (id, reason) =>
    (await updateSanction({ client, path: { ...path, id }, body: { reason } })).response?.status,
  unknown: async (id) => (await getSanction({ client, path: { ...path, id } })).response?.status,
  event: async (user_id, score) =>
    (await sendEvent({ client, body: { user_id, event_name: 'achieve-score', metadata: { score } } })).data?.message,
  score: async (memberId) => {
    const place = { ...path, id: world.boardId, memberType: 'user', memberId } as const;
    return Number((await getLeaderboardMember({ client, path: place })).data?.member.score);
  },
  upload: async (events) => (await sendEvents({ client, body: { events } })).data?.results.length,
  stranger: async (key) => (await listParticipants({ client: clientOf(key), path })).response?.status,
  remove: async (id) => (await deleteParticipant({ client, path: { ...path, id } })).response?.status,
});
