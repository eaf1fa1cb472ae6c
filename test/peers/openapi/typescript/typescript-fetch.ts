import { make, statusOf, world } from './calls.js';
import {
  Configuration,
  GameplayApi,
  GameplayConfigurationApi,
  ParticipantsApi,
  SanctionsApi,
  WatchingApi,
} from './generated/index.js';

const configurationOf = (apiKey: string) =>
  new Configuration({ basePath: world.url, headers: { 'X-API-Key': apiKey } });
const own = configurationOf(world.apiKey);
const sanctions = new SanctionsApi(own);
const participants = new ParticipantsApi(own);
const gameplay = new GameplayApi(own);
const { projectId, boardId } = world;
const textOf = (time: Date | null): string | null => time && time.toISOString();

await make({
  ready: async () => (await new WatchingApi(own).getReadiness()).status,
  participant: (externalUserId) =>
    participants.createParticipant({ projectId, createParticipantRequest: { externalUserId } }),
  sanction: async (externalUserId) => {
    const createSanctionRequest = { type: 'mute', externalUserId } as const;
    const made = await sanctions.createSanction({ projectId, createSanctionRequest });
    return { ...made, endAt: textOf(made.endAt) };
  },
  page: (externalUserId, limit) => sanctions.listSanctions({ projectId, externalUserId, limit }),
  revoke: async (id) => (await sanctions.revokeSanction({ projectId, id, revokeSanctionRequest: {} })).status,
  conflict: (id, reason) => statusOf(sanctions.updateSanction({ projectId, id, updateSanctionRequest: { reason } })),
  unknown: (id) => statusOf(sanctions.getSanction({ projectId, id })),
  event: async (userId, score) => {
    const eventPayload = { userId, eventName: 'achieve-score', metadata: { score } };
    return (await gameplay.sendEvent({ eventPayload })).message;
  },
  score: async (memberId) => {
    const board = new GameplayConfigurationApi(own);
    const answer = await board.getLeaderboardMember({ projectId, id: boardId, memberType: 'user', memberId });
    return answer.member.score;
  },
  upload: async (events) => (await gameplay.sendEvents({ eventBatch: { events } })).results.length,
  stranger: (key) => statusOf(new ParticipantsApi(configurationOf(key)).listParticipants({ projectId })),
  remove: async (id) => (await participants.deleteParticipantRaw({ projectId, id })).raw.status,
});
