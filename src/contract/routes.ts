/** Every route of the contract: by name for callers, and in one list for OpenAPI and tests. */
import { auditRoutes } from './audit/audit.js';
import { figureRoutes } from './figures/figures.js';
import { functionRoutes } from './functions/functions.js';
import { battlePassLevelRoutes, levelChallengeRoutes } from './gameplay/battle-pass-levels.js';
import { battlePassProgressRoutes } from './gameplay/battle-pass-progress.js';
import { battlePassRoutes } from './gameplay/battle-passes.js';
import { challengeCategoryRoutes } from './gameplay/challenge-categories.js';
import { challengeRoutes } from './gameplay/challenges.js';
import { deletionRoutes } from './gameplay/deletions.js';
import { gameEventRoutes } from './gameplay/game-event-export.js';
import { gameplayRoutes } from './gameplay/gameplay.js';
import { leaderboardExclusionRoutes } from './gameplay/leaderboard-exclusions.js';
import { leaderboardRebuildRoutes } from './gameplay/leaderboard-rebuilds.js';
import { leaderboardRoutes } from './gameplay/leaderboards.js';
import { playerBattlePassRoutes } from './gameplay/player-battle-passes.js';
import { playerChallengeRoutes } from './gameplay/player-challenges.js';
import { playerLeaderboardRoutes } from './gameplay/player-leaderboards.js';
import { playerRoutes } from './gameplay/players.js';
import { seasonRoutes } from './gameplay/season-routes.js';
import { gatheringInvitationRoutes } from './gatherings/gathering-invitations.js';
import { gatheringMemberRoutes } from './gatherings/gathering-members.js';
import { gatheringRoutes } from './gatherings/gatherings.js';
import { accountRoutes } from './identity/accounts.js';
import { apiKeyRoutes } from './identity/api-keys.js';
import { consoleSessionRoutes } from './identity/console-sessions.js';
import { ingestRoutes } from './ingest/ingest.js';
import { installationRoutes } from './installation/installation.js';
import { reviewRoutes } from './moderation/reviews.js';
import { sanctionBatchRoutes } from './moderation/sanction-batches.js';
import { sanctionTemplateRoutes } from './moderation/sanction-templates.js';
import { sanctionRoutes } from './moderation/sanctions.js';
import { shiftNoteRoutes } from './moderation/shift-notes.js';
import { statementRoutes } from './moderation/statements.js';
import { alikeRoutes } from './people/alike.js';
import { blockRoutes, playerBlockRoutes, roomBlockRoutes } from './people/blocks.js';
import { participantRecordRoutes } from './people/participant-records.js';
import { participantRoutes } from './people/participants.js';
import { personRoutes } from './people/person.js';
import { personExportRoutes } from './people/person-export.js';
import { personMoveRoutes } from './people/person-moves.js';
import { personNoticeRoutes } from './people/person-notices.js';
import { annotationRoutes } from './plugins/annotations.js';
import { pluginInstanceRoutes, pluginRoutes } from './plugins/plugins.js';
import { sessionActionRoutes } from './plugins/session-actions.js';
import { projectJobRoutes } from './projects/jobs.js';
import { projectRoutes, projectUserRoutes } from './projects/projects.js';
import { settingsRoutes } from './projects/settings.js';
import { caseRoutes } from './reports/cases.js';
import { orderRoutes } from './reports/orders.js';
import { reportSettingsRoutes } from './reports/report-settings.js';
import { reporterRoutes } from './reports/reporters.js';
import { complaintRoutes, playerReportRoutes, reportRoutes, roomReportRoutes } from './reports/reports.js';
import { roomAnnouncementRoutes } from './rooms/room-announcements.js';
import { roomModerationRoutes } from './rooms/room-moderation.js';
import { roomRestrictionRoutes } from './rooms/room-restrictions.js';
import { roomVisitRoutes } from './rooms/room-visits.js';
import { roomRoutes } from './rooms/rooms.js';
import { tokenRoutes } from './rooms/tokens.js';
import type { Route } from './route.js';
import { ruleDecisionRoutes } from './rules/rule-decisions.js';
import { ruleTestRoutes } from './rules/rule-tests.js';
import { ruleRoutes } from './rules/rules.js';
import { messageRoutes } from './sessions/message-search.js';
import { sessionRoutes } from './sessions/sessions.js';
import { moderationStatsRoutes } from './stats/moderation-stats.js';
import { projectDayRoutes } from './stats/project-day.js';
import { publicStatementRoutes } from './stats/public-statements.js';
import { transparencyRoutes } from './stats/transparency.js';
import { eventRoutes } from './streams/event-streams.js';
import { eventTraceRoutes } from './streams/event-traces.js';
import { streamTicketRoutes } from './streams/stream-tickets.js';
import { webhookEventRoutes } from './webhooks/webhook-events.js';
import { webhookRoutes } from './webhooks/webhooks.js';

/** Every operation, by what it is about: `client.call(routes.sanctions.create, …)`. */
export const routes = {
  accounts: accountRoutes,
  consoleSessions: consoleSessionRoutes,
  apiKeys: apiKeyRoutes,
  projects: projectRoutes,
  projectUsers: projectUserRoutes,
  projectJobs: projectJobRoutes,
  settings: settingsRoutes,
  audit: auditRoutes,
  tokens: tokenRoutes,
  functions: functionRoutes,
  sessions: sessionRoutes,
  messages: messageRoutes,
  rooms: roomRoutes,
  roomModeration: roomModerationRoutes,
  roomAnnouncements: roomAnnouncementRoutes,
  roomRestrictions: roomRestrictionRoutes,
  roomVisits: roomVisitRoutes,
  participants: participantRoutes,
  participantRecords: participantRecordRoutes,
  people: personRoutes,
  personMoves: personMoveRoutes,
  personNotices: personNoticeRoutes,
  alike: alikeRoutes,
  personExports: personExportRoutes,
  sanctions: sanctionRoutes,
  gatherings: gatheringRoutes,
  gatheringMembers: gatheringMemberRoutes,
  gatheringInvitations: gatheringInvitationRoutes,
  sanctionBatches: sanctionBatchRoutes,
  sanctionTemplates: sanctionTemplateRoutes,
  statements: statementRoutes,
  shiftNotes: shiftNoteRoutes,
  reviews: reviewRoutes,
  reports: reportRoutes,
  complaints: complaintRoutes,
  playerReports: playerReportRoutes,
  roomReports: roomReportRoutes,
  blocks: blockRoutes,
  playerBlocks: playerBlockRoutes,
  roomBlocks: roomBlockRoutes,
  reportSettings: reportSettingsRoutes,
  reporters: reporterRoutes,
  cases: caseRoutes,
  orders: orderRoutes,
  moderationStats: moderationStatsRoutes,
  projectDay: projectDayRoutes,
  publicStatements: publicStatementRoutes,
  transparency: transparencyRoutes,
  plugins: pluginRoutes,
  pluginInstances: pluginInstanceRoutes,
  annotations: annotationRoutes,
  sessionActions: sessionActionRoutes,
  rules: ruleRoutes,
  ruleDecisions: ruleDecisionRoutes,
  ruleTests: ruleTestRoutes,
  webhooks: webhookRoutes,
  webhookEvents: webhookEventRoutes,
  figures: figureRoutes,
  events: eventRoutes,
  streamTickets: streamTicketRoutes,
  ingest: ingestRoutes,
  installation: installationRoutes,
  eventTraces: eventTraceRoutes,
  gameplay: gameplayRoutes,
  playerChallenges: playerChallengeRoutes,
  challengeCategories: challengeCategoryRoutes,
  challenges: challengeRoutes,
  players: playerRoutes,
  playerBattlePasses: playerBattlePassRoutes,
  battlePasses: battlePassRoutes,
  battlePassLevels: battlePassLevelRoutes,
  levelChallenges: levelChallengeRoutes,
  battlePassProgress: battlePassProgressRoutes,
  leaderboards: leaderboardRoutes,
  leaderboardExclusions: leaderboardExclusionRoutes,
  leaderboardRebuilds: leaderboardRebuildRoutes,
  playerLeaderboards: playerLeaderboardRoutes,
  season: seasonRoutes,
  gameplayDeletions: deletionRoutes,
  gameEvents: gameEventRoutes,
};

/** All routes in one list, without their exact types. */
export const allRoutes: readonly Route[] = Object.values(routes).flatMap((group): Route[] => Object.values(group));
