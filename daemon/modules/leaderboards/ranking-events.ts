/** Announces what a change makes of a member's place. Pure. */
import type { NewEvent } from '../../platform/events/logged.js';
import type { BoardDefinition } from './board.js';
import { type Infos, type MemberRank, rankingChanged } from './board-views.js';

/**
 * Users, and teams, of whom one reset or one rebuild is announced: the best of them. Choice: a bound, since the event
 * log and webhooks would otherwise get a million events at once.
 */
export const announcedMax = 1_000;

export const rankingEvent = (
  definition: BoardDefinition,
  before: MemberRank,
  after: MemberRank,
  infos: Infos,
): NewEvent => ({
  type: 'leaderboard.changed',
  source: 'earshot:gameplay',
  tenantId: definition.tenantId,
  projectId: definition.board.projectId,
  resourceId: `leaderboard:${definition.board.id}`,
  action: 'updated',
  data: rankingChanged(definition, before, after, infos),
  subjectUserId: after.memberType === 'user' ? after.memberId : null,
});
