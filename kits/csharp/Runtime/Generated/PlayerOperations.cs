// Written by `npm run kits:csharp` from src/contract. Do not edit.
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Earshot
{
    public sealed partial class PlayerClient
    {
        /// <summary>Show the player what holds against them, why, and until when.</summary>
        /// <exception cref="ApiException">player_token_invalid</exception>
        public Task<Standing> GetMyStandingAsync(CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/v1/me/standing").Query("language", Language), Earshot.Standing.FromJson, cancel);
        }

        /// <summary>Appeal against a sanction as the sanctioned player.</summary>
        /// <param name="id">Sanction</param>
        /// <exception cref="ApiException">player_token_invalid, sanction_not_found, sanction_not_active, appeal_too_late, sanction_already_appealed, appeals_suspended</exception>
        public Task<StatementOfReasons> AppealMySanctionAsync(string id, OwnAppealRequest body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/v1/me/standing/" + Call.Segment(id) + "/appeal").Query("language", Language).Body(body).WithIdempotencyKey(), Earshot.StatementOfReasons.FromJson, cancel);
        }

        /// <summary>Complain about the decision on one of your own reports.</summary>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <exception cref="ApiException">player_token_invalid, report_not_found, report_undecided, report_already_complained, complaint_too_late</exception>
        public Task<ReportReceipt> ComplainAsPlayerAsync(string id, ComplaintRequest body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/v1/reports/" + Call.Segment(id) + "/complaint").Body(body).WithIdempotencyKey(), Earshot.ReportReceipt.FromJson, cancel);
        }

        /// <summary>Report a person or a room.</summary>
        /// <exception cref="ApiException">player_token_invalid, report_not_in_room, report_not_heard, report_target_required, report_self, report_category_unknown, reporting_suspended, rate_limited</exception>
        public Task<ReportReceipt> ReportAsPlayerAsync(PlayerReportRequest body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/v1/reports").Body(body).WithIdempotencyKey(), Earshot.ReportReceipt.FromJson, cancel);
        }

        /// <summary>List your own reports with what came of them, newest first.</summary>
        /// <param name="limit">Rows, up to 200</param>
        /// <param name="offset">Rows to skip</param>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        /// <exception cref="ApiException">player_token_invalid</exception>
        public Task<ReceiptListResponse> ListOwnReportsAsync(long? limit = null, long? offset = null, string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/v1/reports").Query("limit", limit).Query("offset", offset).Query("after", after), Earshot.ReceiptListResponse.FromJson, cancel);
        }

        /// <summary>Show one of your own reports with what came of it.</summary>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <exception cref="ApiException">player_token_invalid, report_not_found</exception>
        public Task<ReportReceipt> GetOwnReportAsync(string id, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/v1/reports/" + Call.Segment(id)), Earshot.ReportReceipt.FromJson, cancel);
        }

        /// <summary>Block a person: you hear them no more.</summary>
        /// <exception cref="ApiException">player_token_invalid, block_self, block_limit_reached</exception>
        public Task<OwnBlock> BlockAsPlayerAsync(BlockRequest body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/v1/blocks").Body(body).WithIdempotencyKey(), Earshot.OwnBlock.FromJson, cancel);
        }

        /// <summary>List whom you block, newest first.</summary>
        /// <param name="limit">Rows, up to 200</param>
        /// <param name="offset">Rows to skip</param>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        /// <exception cref="ApiException">player_token_invalid</exception>
        public Task<OwnBlockListResponse> ListOwnBlocksAsync(long? limit = null, long? offset = null, string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/v1/blocks").Query("limit", limit).Query("offset", offset).Query("after", after), Earshot.OwnBlockListResponse.FromJson, cancel);
        }

        /// <summary>End a block: you hear the person again.</summary>
        /// <param name="blockedUserId">Person who is blocked</param>
        /// <exception cref="ApiException">player_token_invalid</exception>
        public Task UnblockAsPlayerAsync(string blockedUserId, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("DELETE", "/api/v1/blocks/" + Call.Segment(blockedUserId)), cancel);
        }

        /// <summary>Show the display name and avatar of the player.</summary>
        /// <exception cref="ApiException">player_token_invalid</exception>
        public Task<UserInfo> GetUserInfoAsync(CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/v1/auth/user-additional-info"), Earshot.UserInfo.FromJson, cancel);
        }

        /// <summary>Set the display name and avatar of the player.</summary>
        /// <exception cref="ApiException">player_token_invalid</exception>
        public Task<UserInfo> SetUserInfoAsync(UserInfoRequest body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("PUT", "/api/v1/auth/user-additional-info").Body(body), Earshot.UserInfo.FromJson, cancel);
        }

        /// <summary>Get the topic on which every challenge of the player is announced.</summary>
        /// <exception cref="ApiException">player_token_invalid</exception>
        public Task<NotificationTopic> GetUserChallengesNotificationTopicAsync(CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/v1/auth/user-challenges-topic-link"), Earshot.NotificationTopic.FromJson, cancel);
        }

        /// <summary>Get the topic on which one challenge of the player is announced.</summary>
        /// <param name="challengeId">Challenge</param>
        /// <exception cref="ApiException">player_token_invalid, challenge_not_found</exception>
        public Task<NotificationTopic> GetUserChallengeNotificationTopicAsync(string challengeId, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/v1/auth/user-challenge-topic-link").Query("challenge_id", challengeId), Earshot.NotificationTopic.FromJson, cancel);
        }

        /// <summary>Submit up to 1000 game events; each gets its own result.</summary>
        /// <exception cref="ApiException">player_token_invalid, project_required, rate_limited, credential_kind, overloaded</exception>
        public Task<EventBatchAnswer> SendEventsAsync(EventBatch body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/v1/events/batch").Query("auth", "access_token").Body(body).WithIdempotencyKey(), Earshot.EventBatchAnswer.FromJson, cancel);
        }

        /// <summary>List the challenges that the player has not finished, by category.</summary>
        /// <param name="includeCategories">Ids or slugs, comma-separated; empty: all</param>
        /// <param name="excludeCategories">Ids or slugs, comma-separated</param>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app</exception>
        public Task<List<PersonalChallengeCategory>> GetPersonalChallengesAsync(string includeCategories = null, string excludeCategories = null, string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("GET", "/api/v1/challenges/personal/get/" + Call.Segment(ProjectId)).Query("language", Language).Query("include_categories", includeCategories).Query("exclude_categories", excludeCategories).Query("after", after), Earshot.PersonalChallengeCategory.FromJson, cancel);
        }

        /// <summary>List every challenge, completed ones included, by category.</summary>
        /// <param name="includeCategories">Ids or slugs, comma-separated; empty: all</param>
        /// <param name="excludeCategories">Ids or slugs, comma-separated</param>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app</exception>
        public Task<List<PersonalChallengeCategory>> GetAllPersonalChallengesAsync(string includeCategories = null, string excludeCategories = null, string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("GET", "/api/v1/challenges/personal/all/" + Call.Segment(ProjectId)).Query("language", Language).Query("include_categories", includeCategories).Query("exclude_categories", excludeCategories).Query("after", after), Earshot.PersonalChallengeCategory.FromJson, cancel);
        }

        /// <summary>List the challenges that are counting now, by category.</summary>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app</exception>
        public Task<List<PersonalChallengeCategory>> GetActivePersonalChallengesAsync(string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("GET", "/api/v1/challenges/personal/get-in-progress-challenges/" + Call.Segment(ProjectId)).Query("language", Language).Query("after", after), Earshot.PersonalChallengeCategory.FromJson, cancel);
        }

        /// <summary>Show a challenge of the player.</summary>
        /// <param name="challengeId">Challenge</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app, challenge_not_found</exception>
        public Task<PersonalChallenge> GetPersonalChallengeByIdAsync(string challengeId, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/v1/challenges/personal/get/" + Call.Segment(ProjectId) + "/" + Call.Segment(challengeId)).Query("language", Language), Earshot.PersonalChallenge.FromJson, cancel);
        }

        /// <summary>Unlock a challenge for the player.</summary>
        /// <param name="challengeId">Challenge</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app, challenge_not_found, action_not_possible</exception>
        public Task<ActionResponse> UnlockPersonalChallengeAsync(string challengeId, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/v1/challenges/personal/unlock/" + Call.Segment(ProjectId) + "/" + Call.Segment(challengeId)).Query("language", Language).WithIdempotencyKey(), Earshot.ActionResponse.FromJson, cancel);
        }

        /// <summary>Activate an unlocked challenge, so that events count.</summary>
        /// <param name="challengeId">Challenge</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app, challenge_not_found, action_not_possible, counting_conflict</exception>
        public Task<ActionResponse> ActivatePersonalChallengeAsync(string challengeId, CancellationToken cancel = default(CancellationToken))
        {
            return ActAsync(new Call("PUT", "/api/v1/challenges/personal/activate/" + Call.Segment(ProjectId) + "/" + Call.Segment(challengeId)).Query("language", Language), challengeId, cancel, "in-progress");
        }

        /// <summary>Give up a challenge; it can be unlocked again.</summary>
        /// <param name="challengeId">Challenge</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app, challenge_not_found, action_not_possible</exception>
        public Task<ActionResponse> CancelPersonalChallengeAsync(string challengeId, CancellationToken cancel = default(CancellationToken))
        {
            return ActAsync(new Call("PUT", "/api/v1/challenges/personal/cancel/" + Call.Segment(ProjectId) + "/" + Call.Segment(challengeId)).Query("language", Language), challengeId, cancel, "unlock");
        }

        /// <summary>Claim the reward of a completed challenge.</summary>
        /// <param name="challengeId">Challenge</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app, challenge_not_found, action_not_possible</exception>
        public Task<ActionResponse> ClaimPersonalChallengeRewardAsync(string challengeId, CancellationToken cancel = default(CancellationToken))
        {
            return ActAsync(new Call("PUT", "/api/v1/challenges/personal/claim/" + Call.Segment(ProjectId) + "/" + Call.Segment(challengeId)).Query("language", Language), challengeId, cancel, "finished", "unlock");
        }

        /// <summary>List the battle passes of the app, by priority.</summary>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app</exception>
        public Task<List<PersonalBattlePass>> GetBattlePassesAsync(string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("GET", "/api/v1/battle-passes/" + Call.Segment(ProjectId)).Query("language", Language).Query("after", after), Earshot.PersonalBattlePass.FromJson, cancel);
        }

        /// <summary>List the battle passes that are running now.</summary>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app</exception>
        public Task<List<PersonalBattlePass>> GetActiveBattlePassesAsync(string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("GET", "/api/v1/battle-passes/" + Call.Segment(ProjectId) + "/active").Query("language", Language).Query("after", after), Earshot.PersonalBattlePass.FromJson, cancel);
        }

        /// <summary>List the battle passes that the player has unlocked.</summary>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app</exception>
        public Task<List<PersonalBattlePass>> GetUnlockedBattlePassesAsync(string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("GET", "/api/v1/battle-passes/" + Call.Segment(ProjectId) + "/unlocked").Query("language", Language).Query("after", after), Earshot.PersonalBattlePass.FromJson, cancel);
        }

        /// <summary>Show a battle pass to the player.</summary>
        /// <param name="battlePassId">Battle pass</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app, battle_pass_not_found</exception>
        public Task<PersonalBattlePass> GetBattlePassAsync(string battlePassId, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/v1/battle-passes/" + Call.Segment(ProjectId) + "/single/" + Call.Segment(battlePassId)).Query("language", Language), Earshot.PersonalBattlePass.FromJson, cancel);
        }

        /// <summary>Unlock a battle pass for the player, even before it starts.</summary>
        /// <param name="battlePassId">Battle pass</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app, battle_pass_not_found, action_not_possible</exception>
        public Task<BattlePassUnlockInfo> UnlockBattlePassAsync(string battlePassId, BattlePassUnlockPayload body = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/v1/battle-passes/" + Call.Segment(ProjectId) + "/unlock/" + Call.Segment(battlePassId)).Query("language", Language).Body(body ?? new BattlePassUnlockPayload()).WithIdempotencyKey(), Earshot.BattlePassUnlockInfo.FromJson, cancel);
        }

        /// <summary>List the levels of every battle pass, with the player's progress.</summary>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app</exception>
        public Task<List<PersonalBattlePassLevel>> GetAllBattlePassLevelsAsync(string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("GET", "/api/v1/battle-pass-levels/" + Call.Segment(ProjectId)).Query("language", Language).Query("after", after), Earshot.PersonalBattlePassLevel.FromJson, cancel);
        }

        /// <summary>List the levels of a battle pass, with the player's progress.</summary>
        /// <param name="battlePassId">Battle pass</param>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app, battle_pass_not_found</exception>
        public Task<List<PersonalBattlePassLevel>> GetBattlePassLevelsAsync(string battlePassId, string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("GET", "/api/v1/battle-pass-levels/" + Call.Segment(ProjectId) + "/" + Call.Segment(battlePassId)).Query("language", Language).Query("after", after), Earshot.PersonalBattlePassLevel.FromJson, cancel);
        }

        /// <summary>Activate a level, or restart those of its challenges whose time has run out.</summary>
        /// <param name="levelId">Level of the battle pass</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app, battle_pass_level_not_found, action_not_possible, counting_conflict</exception>
        public Task<LevelActionResponse> ActivateBattlePassLevelAsync(string levelId, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/v1/battle-pass-levels/" + Call.Segment(ProjectId) + "/activate/" + Call.Segment(levelId)).Query("language", Language).WithIdempotencyKey(), Earshot.LevelActionResponse.FromJson, cancel);
        }

        /// <summary>Claim the reward of a completed level, even after the pass has ended.</summary>
        /// <param name="levelId">Level of the battle pass</param>
        /// <exception cref="ApiException">player_token_invalid, unknown_app, battle_pass_level_not_found, action_not_possible</exception>
        public Task<LevelActionResponse> ClaimBattlePassLevelRewardAsync(string levelId, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/v1/battle-pass-levels/" + Call.Segment(ProjectId) + "/claim/" + Call.Segment(levelId)).Query("language", Language).WithIdempotencyKey(), Earshot.LevelActionResponse.FromJson, cancel);
        }

        /// <summary>Get the topic on which a battle pass of the player is announced.</summary>
        /// <param name="battlePassId">Battle pass</param>
        /// <exception cref="ApiException">player_token_invalid, battle_pass_not_found</exception>
        public Task<NotificationTopic> GetUserBattlePassNotificationTopicAsync(string battlePassId, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/v1/auth/user-battle-pass-topic-link").Query("battle_pass_id", battlePassId), Earshot.NotificationTopic.FromJson, cancel);
        }

        /// <summary>List the leaderboards, each with its first members.</summary>
        /// <param name="currentPage">Page, from 1</param>
        /// <param name="pageSize">Elements per page</param>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        /// <exception cref="ApiException">player_token_invalid</exception>
        public Task<List<Leaderboard>> GetLeaderboardsAsync(long? currentPage = null, long? pageSize = null, string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("GET", "/api/v1/leaderboards").Query("language", Language).Query("currentPage", currentPage).Query("pageSize", pageSize).Query("after", after), Earshot.Leaderboard.FromJson, cancel);
        }

        /// <summary>Show a page of the ranking of a leaderboard.</summary>
        /// <param name="leaderboardId">Leaderboard</param>
        /// <param name="currentPage">Page, from 1</param>
        /// <param name="pageSize">Elements per page</param>
        /// <param name="periodId">An earlier period; default: the current one</param>
        /// <exception cref="ApiException">player_token_invalid, leaderboard_not_found, leaderboard_period_not_found</exception>
        public Task<Leaderboard> GetLeaderboardAsync(string leaderboardId, long? currentPage = null, long? pageSize = null, string periodId = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/v1/leaderboards/" + Call.Segment(leaderboardId)).Query("language", Language).Query("currentPage", currentPage).Query("pageSize", pageSize).Query("period_id", periodId), Earshot.Leaderboard.FromJson, cancel);
        }

        /// <summary>List the periods of a leaderboard, newest first; the first one says when the board is reset.</summary>
        /// <param name="leaderboardId">Leaderboard</param>
        /// <param name="limit">Rows, up to 200</param>
        /// <param name="offset">Rows to skip</param>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        /// <exception cref="ApiException">player_token_invalid, leaderboard_not_found</exception>
        public Task<LeaderboardPeriodList> GetLeaderboardPeriodsAsync(string leaderboardId, long? limit = null, long? offset = null, string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/v1/leaderboards/" + Call.Segment(leaderboardId) + "/periods").Query("limit", limit).Query("offset", offset).Query("after", after), Earshot.LeaderboardPeriodList.FromJson, cancel);
        }

        /// <summary>Show the rank of a user or a team on every leaderboard.</summary>
        /// <param name="memberType">user or team</param>
        /// <param name="memberId">Player or team, by the id that the game uses</param>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        /// <exception cref="ApiException">player_token_invalid</exception>
        public Task<List<LeaderboardMemberRanking>> GetLeaderboardRankingsAsync(string memberType, string memberId, string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("GET", "/api/v1/leaderboards-members/" + Call.Segment(memberType) + "/" + Call.Segment(memberId)).Query("language", Language).Query("after", after), Earshot.LeaderboardMemberRanking.FromJson, cancel);
        }

        /// <summary>Show the rank of a user or a team on a leaderboard.</summary>
        /// <param name="memberType">user or team</param>
        /// <param name="memberId">Player or team, by the id that the game uses</param>
        /// <param name="leaderboardId">Leaderboard</param>
        /// <param name="around">Number of neighbours to include on each side</param>
        /// <exception cref="ApiException">player_token_invalid, leaderboard_not_found</exception>
        public Task<LeaderboardMemberRanking> GetLeaderboardRankingAsync(string memberType, string memberId, string leaderboardId, long? around = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/v1/leaderboards-members/" + Call.Segment(memberType) + "/" + Call.Segment(memberId) + "/" + Call.Segment(leaderboardId)).Query("language", Language).Query("around", around), Earshot.LeaderboardMemberRanking.FromJson, cancel);
        }

        /// <summary>Get the topic on which changes of a ranking are announced.</summary>
        /// <param name="leaderboardId">Leaderboard</param>
        /// <exception cref="ApiException">player_token_invalid, leaderboard_not_found</exception>
        public Task<NotificationTopic> GetLeaderboardNotificationTopicAsync(string leaderboardId, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/v1/auth/leaderboard-topic-link").Query("leaderboard_id", leaderboardId), Earshot.NotificationTopic.FromJson, cancel);
        }
    }
}
