/** Every route of the contract, for what walks them all: OpenAPI, the endpoint test, the authorisation matrix. */

import { eventRoutes } from './events.js';
import { challengeCategoryRoutes, challengeRoutes } from './gameplay/challenges.js';
import { gameplayRoutes } from './gameplay/gameplay.js';
import { playerChallengeRoutes } from './gameplay/player-challenges.js';
import { playerRoutes } from './gameplay/players.js';
import { gatheringInvitationRoutes } from './gatherings/gathering-invitations.js';
import { gatheringMemberRoutes } from './gatherings/gathering-members.js';
import { gatheringRoutes } from './gatherings/gatherings.js';
import { accountRoutes } from './identity/accounts.js';
import { apiKeyRoutes } from './identity/api-keys.js';
import { ingestRoutes } from './ingest/ingest.js';
import { reviewRoutes } from './moderation/reviews.js';
import { sanctionBatchRoutes } from './moderation/sanction-batches.js';
import { sanctionTemplateRoutes } from './moderation/sanction-templates.js';
import { sanctionRoutes } from './moderation/sanctions.js';
import { participantRecordRoutes } from './people/participant-records.js';
import { participantRoutes } from './people/participants.js';
import { projectRoutes, projectUserRoutes } from './projects/projects.js';
import { settingsRoutes } from './projects/settings.js';
import { tokenRoutes } from './rooms/tokens.js';
import type { Route } from './route.js';
import { roomRoutes, sessionRoutes } from './sessions/sessions.js';
import { eventTraceRoutes } from './streams/event-traces.js';
import { webhookEventRoutes } from './webhooks/webhook-events.js';
import { webhookRoutes } from './webhooks/webhooks.js';

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
  ingestRoutes,
  eventTraceRoutes,
  gameplayRoutes,
  playerChallengeRoutes,
  challengeCategoryRoutes,
  challengeRoutes,
  playerRoutes,
].flatMap((group): Route[] => Object.values(group));
