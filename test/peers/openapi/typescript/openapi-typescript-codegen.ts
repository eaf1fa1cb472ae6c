import { make, statusOf, world } from './calls.js';
import {
  CreateSanctionRequest,
  type EventPayload,
  GameplayConfigurationService,
  GameplayService,
  OpenAPI,
  ParticipantsService,
  SanctionsService,
  WatchingService,
} from './generated/index.js';

OpenAPI.BASE = world.url;
const useKey = (key: string) => {
  OpenAPI.HEADERS = { 'X-API-Key': key };
};
useKey(world.apiKey);
const { projectId, boardId } = world;

await make({
  ready: async () => (await WatchingService.getReadiness()).status,
  participant: (externalUserId) => ParticipantsService.createParticipant(projectId, { externalUserId }),
  sanction: (externalUserId) =>
    SanctionsService.createSanction(projectId, { type: CreateSanctionRequest.type.MUTE, externalUserId }),
  page: (externalUserId, limit) => SanctionsService.listSanctions(projectId, limit, 0, undefined, externalUserId),
  revoke: async (id) => (await SanctionsService.revokeSanction(projectId, id)).status,
  conflict: (id, reason) => statusOf(SanctionsService.updateSanction(projectId, id, { reason })),
  unknown: (id) => statusOf(SanctionsService.getSanction(projectId, id)),
  event: async (user_id, score) => {
    const payload: EventPayload = { user_id, event_name: 'achieve-score', metadata: { score } };
    return (await GameplayService.sendEvent(payload)).message;
  },
  score: async (memberId) =>
    (await GameplayConfigurationService.getLeaderboardMember(projectId, boardId, 'user', memberId)).member.score,
  upload: async (events) => (await GameplayService.sendEvents({ events })).results.length,
  stranger: async (key) => {
    useKey(key);
    const status = await statusOf(ParticipantsService.listParticipants(projectId));
    useKey(world.apiKey);
    return status;
  },
  remove: (id) => ParticipantsService.deleteParticipant(projectId, id).then((body) => (body === undefined ? 204 : 200)),
});
