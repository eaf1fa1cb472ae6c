/** How rankings are shown: to players and on topics by the SDK's names, to operators by ours. Pure. */
import type { UserInfo } from '../../../src/contract/gameplay/gameplay.js';
import type { LeaderboardEntry, LeaderboardPeriod, MemberType } from '../../../src/contract/gameplay/leaderboards.js';
import type {
  LeaderboardRanking,
  LeaderboardUpdatePayload,
} from '../../../src/contract/gameplay/player-leaderboards.js';
import { timeOrNull } from '../../platform/database/column-values.js';
import { textIn } from '../game-events/model/localised.js';
import { type BoardDefinition, type BoardPeriod, endOfNewest } from './board.js';

/** Texts on topics and in webhooks are in one language. */
const announcedLanguage = 'en';

export interface MemberRank {
  readonly memberType: MemberType;
  readonly memberId: string;
  /** From 1; -1: not on the board. */
  readonly rank: number;
  readonly score: number;
}

export type Infos = ReadonlyMap<string, UserInfo>;

export const placeless = (memberType: MemberType, memberId: string): MemberRank => ({
  memberType,
  memberId,
  rank: -1,
  score: 0,
});

export const rankingOf = ({ memberType, memberId, rank, score }: MemberRank, infos: Infos): LeaderboardRanking => ({
  member_id: memberId,
  member_type: memberType,
  score,
  rank,
  additional_info: memberType === 'team' ? {} : (infos.get(memberId) ?? {}),
});

export const entryOf = (place: MemberRank, infos: Infos): LeaderboardEntry => ({
  memberType: place.memberType,
  memberId: place.memberId,
  rank: place.rank,
  score: place.score,
  info: place.memberType === 'team' ? null : (infos.get(place.memberId) ?? { username: null, avatarImage: null }),
});

export const periodView = (
  period: BoardPeriod,
  current: BoardPeriod,
  { endDate }: Pick<BoardDefinition, 'endDate'>,
): LeaderboardPeriod => ({
  id: period.id,
  startsAt: period.startsAt.toISOString(),
  endsAt: timeOrNull(period.id === current.id ? endOfNewest(period, endDate) : period.endsAt),
  isCurrent: period.id === current.id,
});

export const rankingChanged = (
  { board }: BoardDefinition,
  before: MemberRank,
  after: MemberRank,
  infos: Infos,
): LeaderboardUpdatePayload => ({
  webhook_type: 'leaderboard-ranking-changed',
  leaderboard_data: {
    app_id: board.projectId,
    leaderboard_id: board.id,
    name: textIn(board.name, announcedLanguage),
    event_type: board.eventName,
    sort_order_ascending: board.sortOrder === 'asc',
  },
  member_data: rankingOf(after, infos),
  old_leaderboard_ranking: { score: before.score, rank: before.rank },
  new_leaderboard_ranking: { score: after.score, rank: after.rank },
});
