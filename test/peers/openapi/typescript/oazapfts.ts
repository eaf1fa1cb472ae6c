import { make, world } from './calls.js';
import * as api from './generated/client.js';

const useKey = (key: string) => {
  api.defaults.headers = { 'X-API-Key': key };
};
api.defaults.baseUrl = world.url;
useKey(world.apiKey);
const { projectId, boardId } = world;

await make({
  ready: async () => (await api.getReadiness()).data.status,
  participant: async (externalUserId) => {
    const answer = await api.createParticipant(projectId, { externalUserId });
    return answer.status === 201 ? answer.data : undefined;
  },
  sanction: async (externalUserId) => {
    const answer = await api.createSanction(projectId, { type: 'mute', externalUserId });
    return answer.status === 201 ? answer.data : undefined;
  },
  page: async (externalUserId, limit) => {
    const answer = await api.listSanctions(projectId, { externalUserId, limit });
    return answer.status === 200 ? answer.data : undefined;
  },
  revoke: async (id) => {
    const answer = await api.revokeSanction(projectId, id, {});
    return answer.status === 200 ? answer.data.status : undefined;
  },
  conflict: async (id, reason) => (await api.updateSanction(projectId, id, { reason })).status,
  unknown: async (id) => (await api.getSanction(projectId, id)).status,
  event: async (user_id, score) => {
    const answer = await api.sendEvent({ user_id, event_name: 'achieve-score', metadata: { score } });
    return answer.status === 200 ? answer.data.message : undefined;
  },
  score: async (memberId) => {
    const answer = await api.getLeaderboardMember(projectId, boardId, 'user', memberId);
    return answer.status === 200 ? answer.data.member.score : undefined;
  },
  upload: async (events) => {
    const answer = await api.sendEvents({ events });
    return answer.status === 200 ? answer.data.results.length : undefined;
  },
  stranger: async (key) => {
    useKey(key);
    const { status } = await api.listParticipants(projectId);
    useKey(world.apiKey);
    return status;
  },
  remove: async (id) => (await api.deleteParticipant(projectId, id)).status,
});
