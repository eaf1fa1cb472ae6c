import { make, statusOf, world } from './calls.js';
import { Api } from './generated/client.js';

const clientOf = (key: string) =>
  new Api({ baseUrl: world.url, baseApiParams: { headers: { 'X-API-Key': key }, format: 'json' } });
const { api, health } = clientOf(world.apiKey);
const { projectId, boardId } = world;

await make({
  ready: async () => (await health.getReadiness()).data.status,
  participant: async (externalUserId) => (await api.createParticipant(projectId, { externalUserId })).data,
  sanction: async (externalUserId) => (await api.createSanction(projectId, { type: 'mute', externalUserId })).data,
  page: async (externalUserId, limit) => (await api.listSanctions(projectId, { externalUserId, limit })).data,
  revoke: async (id) => (await api.revokeSanction(projectId, id, {})).data.status,
  conflict: (id, reason) => statusOf(api.updateSanction(projectId, id, { reason })),
  unknown: (id) => statusOf(api.getSanction(projectId, id)),
  event: async (user_id, score) =>
    (await api.sendEvent({ user_id, event_name: 'achieve-score', metadata: { score } })).data.message,
  score: async (memberId) => (await api.getLeaderboardMember(projectId, boardId, 'user', memberId)).data.member.score,
  upload: async (events) => (await api.sendEvents({ events })).data.results.length,
  stranger: (key) => statusOf(clientOf(key).api.listParticipants(projectId)),
  remove: async (id) => (await api.deleteParticipant(projectId, id, { format: undefined })).status,
});
