// Written by `npm run kits:csharp` from src/contract. Do not edit.
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Earshot
{
    public sealed partial class ServerClient
    {
        /// <summary>Create a player token.</summary>
        /// <param name="userId">Player</param>
        public Task<AccessToken> CreatePlayerTokenAsync(string userId, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/projects/" + Call.Segment(ProjectId) + "/players/" + Call.Segment(userId) + "/token"), Earshot.AccessToken.FromJson, cancel);
        }

        /// <summary>Show the challenges, battle passes, leaderboards and sanctions of a player.</summary>
        /// <param name="userId">Player</param>
        public Task<Player> GetPlayerAsync(string userId, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/projects/" + Call.Segment(ProjectId) + "/players/" + Call.Segment(userId)), Earshot.Player.FromJson, cancel);
        }

        /// <summary>Give a player premium in an unlocked battle pass, including claimed levels.</summary>
        /// <param name="userId">Player</param>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <exception cref="ApiException">battle_pass_not_found, action_not_possible</exception>
        public Task<PlayerBattlePass> GrantPlayerBattlePassPremiumAsync(string userId, string id, BattlePassPurchase body = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/projects/" + Call.Segment(ProjectId) + "/players/" + Call.Segment(userId) + "/battle-passes/" + Call.Segment(id) + "/premium").Body(body ?? new BattlePassPurchase()).WithIdempotencyKey(), Earshot.PlayerBattlePass.FromJson, cancel);
        }

        /// <summary>Submit up to 1000 game events of any players; each gets its own result.</summary>
        /// <exception cref="ApiException">rate_limited, overloaded</exception>
        public Task<EventBatchAnswer> ImportGameEventsAsync(EventBatch body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/projects/" + Call.Segment(ProjectId) + "/game-events").Body(body).WithIdempotencyKey(), Earshot.EventBatchAnswer.FromJson, cancel);
        }

        /// <summary>List the predefined events and their properties.</summary>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        public Task<List<EventDescription>> GetAvailableEventsAsync(string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("GET", "/api/v1/public/documentation").Query("after", after), Earshot.EventDescription.FromJson, cancel);
        }

        /// <summary>Create a participant, or return the one that exists.</summary>
        public Task<Participant> CreateParticipantAsync(CreateParticipantRequest body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/projects/" + Call.Segment(ProjectId) + "/participants").Body(body).WithIdempotencyKey(), Earshot.Participant.FromJson, cancel);
        }

        /// <summary>Show a participant.</summary>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <exception cref="ApiException">participant_not_found</exception>
        public Task<Participant> GetParticipantAsync(string id, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/projects/" + Call.Segment(ProjectId) + "/participants/" + Call.Segment(id)), Earshot.Participant.FromJson, cancel);
        }

        /// <summary>List the sanctions in force against a user now.</summary>
        /// <param name="externalUserId">The project's own id of a person</param>
        /// <param name="limit">Rows; default: as many as fit in 2 MiB</param>
        /// <param name="offset">Rows to skip</param>
        /// <param name="type">Type</param>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        public Task<List<SanctionResponse>> ListActiveUserSanctionsAsync(string externalUserId, long? limit = null, long? offset = null, string type = null, string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("GET", "/api/projects/" + Call.Segment(ProjectId) + "/sanctions/user/" + Call.Segment(externalUserId) + "/active").Query("limit", limit).Query("offset", offset).Query("type", type).Query("after", after), Earshot.SanctionResponse.FromJson, cancel);
        }

        /// <summary>Create a room token, with the token provider of the project.</summary>
        /// <exception cref="ApiException">external_user_id_reserved, participant_banned, settings_not_configured, provider_unsupported, token_provider_failed</exception>
        public Task<GenerateTokenResponse> GenerateProjectTokenAsync(GenerateProjectTokenRequest body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/projects/" + Call.Segment(ProjectId) + "/token").Body(body), Earshot.GenerateTokenResponse.FromJson, cancel);
        }

        /// <summary>Create a gathering with a join code of its own.</summary>
        /// <exception cref="ApiException">gathering_time_invalid, participant_not_found, participant_banned, party_restricted, rate_limited</exception>
        public Task<GatheringResponse> CreateGatheringAsync(CreateGatheringRequest body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings").Body(body).WithIdempotencyKey(), Earshot.GatheringResponse.FromJson, cancel);
        }

        /// <summary>List or search gatherings, newest first.</summary>
        /// <param name="limit">Rows, up to 200</param>
        /// <param name="offset">Rows to skip</param>
        /// <param name="type">Type</param>
        /// <param name="status">pending, active, created, started, ended, cancelled, expired; case is ignored</param>
        /// <param name="listed">Only listed gatherings, or only unlisted ones</param>
        /// <param name="searchProperties">JSON object: only gatherings whose searchProperties have all of these values</param>
        /// <param name="externalUserId">Only gatherings that this person is or was in</param>
        /// <param name="since">Only gatherings created at this time or later</param>
        /// <param name="until">Only gatherings created before this time</param>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        public Task<GatheringListResponse> ListGatheringsAsync(long? limit = null, long? offset = null, string type = null, string status = null, bool? listed = null, string searchProperties = null, string externalUserId = null, DateTimeOffset? since = null, DateTimeOffset? until = null, string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings").Query("limit", limit).Query("offset", offset).Query("type", type).Query("status", status).Query("listed", listed).Query("searchProperties", searchProperties).Query("externalUserId", externalUserId).Query("since", since).Query("until", until).Query("after", after), Earshot.GatheringListResponse.FromJson, cancel);
        }

        /// <summary>Show a gathering.</summary>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <param name="includeMembers">With its members</param>
        /// <exception cref="ApiException">gathering_not_found</exception>
        public Task<GatheringResponse> GetGatheringAsync(string id, bool? includeMembers = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/" + Call.Segment(id)).Query("includeMembers", includeMembers), Earshot.GatheringResponse.FromJson, cancel);
        }

        /// <summary>Change the given fields of a gathering that is not over.</summary>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <exception cref="ApiException">gathering_not_found, gathering_closed, gathering_too_small, gathering_time_invalid, member_not_found, participant_banned, party_restricted, rate_limited</exception>
        public Task<GatheringResponse> UpdateGatheringAsync(string id, UpdateGatheringRequest body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("PATCH", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/" + Call.Segment(id)).Body(body), Earshot.GatheringResponse.FromJson, cancel);
        }

        /// <summary>Cancel a gathering; open invitations are declined.</summary>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <exception cref="ApiException">gathering_not_found, gathering_closed</exception>
        public Task<GatheringResponse> DeleteGatheringAsync(string id, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("DELETE", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/" + Call.Segment(id)), Earshot.GatheringResponse.FromJson, cancel);
        }

        /// <summary>Start a gathering; one that has started stays as it is.</summary>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <exception cref="ApiException">gathering_not_found, gathering_closed, settings_not_configured</exception>
        public Task<GatheringResponse> StartGatheringAsync(string id, StartGatheringRequest body = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/" + Call.Segment(id) + "/start").Body(body ?? new StartGatheringRequest()).WithIdempotencyKey(), Earshot.GatheringResponse.FromJson, cancel);
        }

        /// <summary>End a gathering; one that has ended stays as it is.</summary>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <exception cref="ApiException">gathering_not_found, gathering_closed</exception>
        public Task<GatheringResponse> EndGatheringAsync(string id, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/" + Call.Segment(id) + "/end").WithIdempotencyKey(), Earshot.GatheringResponse.FromJson, cancel);
        }

        /// <summary>Join a gathering by join code; members keep their seats.</summary>
        /// <exception cref="ApiException">join_code_unknown, gathering_closed, gathering_invite_only, participant_not_found, rate_limited, participant_banned, party_restricted, gathering_full</exception>
        public Task<JoinGatheringResponse> JoinGatheringAsync(JoinGatheringRequest body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/join").Body(body).WithIdempotencyKey(), Earshot.JoinGatheringResponse.FromJson, cancel);
        }

        /// <summary>Show the gathering of a join code without joining.</summary>
        /// <param name="joinCode">Join code; case and hyphens are ignored</param>
        /// <param name="participantId">Who typed the code: unknown codes then count for them, not for the caller</param>
        /// <exception cref="ApiException">join_code_unknown, participant_not_found, rate_limited</exception>
        public Task<GatheringResponse> LookupGatheringAsync(string joinCode, string participantId = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("GET", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/lookup/" + Call.Segment(joinCode)).Query("participantId", participantId), Earshot.GatheringResponse.FromJson, cancel);
        }

        /// <summary>Give a participant a seat, whatever the access policy.</summary>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <exception cref="ApiException">gathering_not_found, gathering_closed, participant_not_found, participant_banned, party_restricted, gathering_full</exception>
        public Task<GatheringMember> AddGatheringMemberAsync(string id, AddMemberRequest body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/" + Call.Segment(id) + "/members").Body(body).WithIdempotencyKey(), Earshot.GatheringMember.FromJson, cancel);
        }

        /// <summary>List the members, longest-standing first, and the people invited.</summary>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <param name="status">Only members with this status; those who left are shown by `left` alone</param>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        /// <exception cref="ApiException">gathering_not_found</exception>
        public Task<List<GatheringMember>> ListGatheringMembersAsync(string id, string status = null, string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("GET", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/" + Call.Segment(id) + "/members").Query("status", status).Query("after", after), Earshot.GatheringMember.FromJson, cancel);
        }

        /// <summary>Set the ready mark, the status or the role of a member.</summary>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <param name="memberId">Member or participant</param>
        /// <exception cref="ApiException">gathering_not_found, gathering_closed, member_not_found, member_change_invalid, owner_required, participant_banned, party_restricted, gathering_full</exception>
        public Task<GatheringMember> UpdateGatheringMemberAsync(string id, string memberId, UpdateMemberRequest body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("PATCH", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/" + Call.Segment(id) + "/members/" + Call.Segment(memberId)).Body(body), Earshot.GatheringMember.FromJson, cancel);
        }

        /// <summary>Move a member to a seat in another gathering, whatever its access policy.</summary>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <param name="memberId">Member or participant</param>
        /// <exception cref="ApiException">gathering_not_found, gathering_closed, member_not_found, member_change_invalid, participant_banned, party_restricted, gathering_full</exception>
        public Task<GatheringMember> MoveGatheringMemberAsync(string id, string memberId, MoveMemberRequest body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/" + Call.Segment(id) + "/members/" + Call.Segment(memberId) + "/move").Body(body).WithIdempotencyKey(), Earshot.GatheringMember.FromJson, cancel);
        }

        /// <summary>Remove a member; an owner hands over to the longest-standing member.</summary>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <param name="memberId">Member or participant</param>
        /// <exception cref="ApiException">gathering_not_found, member_not_found, gathering_closed</exception>
        public Task RemoveGatheringMemberAsync(string id, string memberId, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("DELETE", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/" + Call.Segment(id) + "/members/" + Call.Segment(memberId)), cancel);
        }

        /// <summary>Invite participants, one invitation each; an open one is kept.</summary>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <exception cref="ApiException">gathering_not_found, gathering_closed, gathering_time_invalid, participant_not_found, invitation_limit_reached</exception>
        public Task<List<InvitationResponse>> SendGatheringInvitationsAsync(string id, SendInvitationsRequest body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("POST", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/" + Call.Segment(id) + "/invite").Body(body).WithIdempotencyKey(), Earshot.InvitationResponse.FromJson, cancel);
        }

        /// <summary>List the invitations to a gathering, newest first.</summary>
        /// <param name="id">Id, as answers of this path name it</param>
        /// <param name="status">Only these</param>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        /// <exception cref="ApiException">gathering_not_found</exception>
        public Task<List<InvitationResponse>> ListGatheringInvitationsAsync(string id, string status = null, string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("GET", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/" + Call.Segment(id) + "/invitations").Query("status", status).Query("after", after), Earshot.InvitationResponse.FromJson, cancel);
        }

        /// <summary>List the open invitations of a participant, newest first.</summary>
        /// <param name="participantId">Who was invited</param>
        /// <param name="after">Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go</param>
        public Task<List<InvitationResponse>> ListPendingInvitationsAsync(string participantId, string after = null, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendListAsync(new Call("GET", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/invitations/pending").Query("participantId", participantId).Query("after", after), Earshot.InvitationResponse.FromJson, cancel);
        }

        /// <summary>Accept an invitation and take a seat.</summary>
        /// <param name="invitationId">Invitation</param>
        /// <exception cref="ApiException">invitation_not_found, invitation_not_yours, invitation_closed, participant_banned, party_restricted, gathering_full</exception>
        public Task<JoinGatheringResponse> AcceptGatheringInvitationAsync(string invitationId, AcceptInvitationRequest body, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/invitations/" + Call.Segment(invitationId) + "/accept").Body(body).WithIdempotencyKey(), Earshot.JoinGatheringResponse.FromJson, cancel);
        }

        /// <summary>Decline an invitation.</summary>
        /// <param name="invitationId">Invitation</param>
        /// <exception cref="ApiException">invitation_not_found, invitation_closed</exception>
        public Task DeclineGatheringInvitationAsync(string invitationId, CancellationToken cancel = default(CancellationToken))
        {
            return Connection.SendAsync(new Call("POST", "/api/projects/" + Call.Segment(ProjectId) + "/gatherings/invitations/" + Call.Segment(invitationId) + "/decline").WithIdempotencyKey(), cancel);
        }
    }
}
