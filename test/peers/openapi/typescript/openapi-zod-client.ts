import { make, statusOf, world } from './calls.js';
import { createApiClient } from './generated/client.js';

const clientOf = (key: string) =>
  createApiClient(world.url, { axiosConfig: { headers: { 'X-API-Key': key } }, validate: true });
const client = clientOf(world.apiKey);
const { projectId, boardId } = world;

await make({
  ready: async () => (await client.getReadiness()).status,
  participant: (externalUserId) => client.createParticipant({ externalUserId }, { params: { projectId } }),
  sanction: (externalUserId) => client.createSanction({ type: 'mute', externalUserId }, { params: { projectId } }),
  page: (externalUserId, limit) => client.listSanctions({ params: { projectId }, queries: { externalUserId, limit } }),
  revoke: async (id) => (await client.revokeSanction({}, { params: { projectId, id } })).status,
  conflict: (id, reason) => statusOf(client.updateSanction({ reason }, { params: { projectId, id } })),
  unknown: (id) => statusOf(client.getSanction({ params: { projectId, id } })),
  event: async (user_id, score) =>
    (await client.sendEvent({ user_id, event_name: 'achieve-score', metadata: { score } })).message,
  score: async (memberId) => {
    const params = { projectId, id: boardId, memberType: 'user', memberId } as const;
    return (await client.getLeaderboardMember({ params })).member.score;
  },
  upload: async (events) => (await client.sendEvents({ events })).results.length,
  stranger: (key) => statusOf(clientOf(key).listParticipants({ params: { projectId } })),
  remove: (id) => client.deleteParticipant(undefined, { params: { projectId, id } }).then(() => 204),
});
