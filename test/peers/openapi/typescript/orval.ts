import { make, world } from './calls.js';
import * as api from './generated/client.js';

/** Its functions ask for paths: the address and the key are added where they call fetch. */
const { fetch } = globalThis;
globalThis.fetch = (input, init) => fetch(new URL(String(input), world.url), init);
const withKey = (key: string): RequestInit => ({ headers: { 'X-API-Key': key } });
const own = withKey(world.apiKey);
const { projectId, boardId } = world;

await make({
  ready: async () => (await api.getReadiness()).data.status,
  participant: async (externalUserId) => {
    const answer = await api.createParticipant(projectId, { externalUserId }, own);
    return answer.status === 201 ? answer.data : undefined;
  },
  sanction: async (externalUserId) => {
    const answer = await api.createSanction(projectId, { type: 'mute', externalUserId }, own);
    return answer.status === 201 ? answer.data : undefined;
  },
  page: async (externalUserId, limit) => {
    const answer = await api.listSanctions(projectId, { externalUserId, limit }, own);
    return answer.status === 200 ? answer.data : undefined;
  },
  revoke: async (id) => {
    const answer = await api.revokeSanction(projectId, id, {}, own);
    return answer.status === 200 ? answer.data.status : undefined;
  },
  conflict: async (id, reason) => (await api.updateSanction(projectId, id, { reason }, own)).status,
  unknown: async (id) => (await api.getSanction(projectId, id, own)).status,
  event: async (user_id, score) => {
    const body = { user_id, event_name: 'achieve-score', metadata: { score } };
    const answer = await api.sendEvent(body, undefined, own);
    return answer.status === 200 ? answer.data.message : undefined;
  },
  score: async (memberId) => {
    const answer = await api.getLeaderboardMember(projectId, boardId, 'user', memberId, undefined, own);
    return answer.status === 200 ? answer.data.member.score : undefined;
  },
  upload: async (events) => {
    const answer = await api.sendEvents({ events }, undefined, own);
    return answer.status === 200 ? answer.data.results.length : undefined;
  },
  stranger: async (key) => (await api.listParticipants(projectId, undefined, withKey(key))).status,
  remove: async (id) => (await api.deleteParticipant(projectId, id, own)).status,
});
