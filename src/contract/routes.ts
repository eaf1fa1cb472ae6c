/** Every route of the contract, for what walks them all: OpenAPI, the endpoint test, the authorisation matrix. */
import { accountRoutes } from './accounts.js';
import { apiKeyRoutes } from './api-keys.js';
import { challengeCategoryRoutes, challengeRoutes } from './challenges.js';
import { eventTraceRoutes } from './event-traces.js';
import { eventRoutes } from './events.js';
import { gameplayRoutes } from './gameplay.js';
import { gatheringInvitationRoutes } from './gathering-invitations.js';
import { gatheringMemberRoutes } from './gathering-members.js';
import { gatheringRoutes } from './gatherings.js';
import { participantRecordRoutes } from './participant-records.js';
import { participantRoutes } from './participants.js';
import { playerChallengeRoutes } from './player-challenges.js';
import { playerRoutes } from './players.js';
import { projectRoutes, projectUserRoutes } from './projects.js';
import { reviewRoutes } from './reviews.js';
import type { Route } from './route.js';
import { sanctionBatchRoutes } from './sanction-batches.js';
import { sanctionTemplateRoutes } from './sanction-templates.js';
import { sanctionRoutes } from './sanctions.js';
import { roomRoutes, sessionRoutes } from './sessions.js';
import { settingsRoutes } from './settings.js';
import { tokenRoutes } from './tokens.js';
import { webhookEventRoutes } from './webhook-events.js';
import { webhookRoutes } from './webhooks.js';

export const allRoutes: readonly Route[] = [
  accountRoutes,
  apiKeyRoutes,
  projectRoutes,
  projectUserRoutes,
  settingsRoutes,
  tokenRoutes,
  sessionRoutes,
  roomRoutes,
  participantRoutes,
  participantRecordRoutes,
  sanctionRoutes,
  gatheringRoutes,
  gatheringMemberRoutes,
  gatheringInvitationRoutes,
  sanctionBatchRoutes,
  sanctionTemplateRoutes,
  reviewRoutes,
  webhookRoutes,
  webhookEventRoutes,
  eventRoutes,
  eventTraceRoutes,
  gameplayRoutes,
  playerChallengeRoutes,
  challengeCategoryRoutes,
  challengeRoutes,
  playerRoutes,
].flatMap((group): Route[] => Object.values(group));
