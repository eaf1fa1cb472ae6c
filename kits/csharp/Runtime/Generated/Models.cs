// Written by `npm run kits:csharp` from src/contract. Do not edit.
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Earshot
{
    public sealed class AcceptInvitationRequest : IJsonBody
    {
        /// <summary>The one who was invited.</summary>
        public string ParticipantId { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "participantId", ParticipantId);
            return json;
        }
    }

    public sealed class AccessToken
    {
        /// <summary>Player token, valid for 24 hours.</summary>
        public string Token { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static AccessToken FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new AccessToken
            {
                Token = Fields.Text(fields, "token"),
            };
        }
    }

    public sealed class ActionResponse
    {
        public long Status { get; set; }
        public string Message { get; set; }
        public PersonalChallenge Challenge { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static ActionResponse FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new ActionResponse
            {
                Status = Fields.Long(fields, "status"),
                Message = Fields.Text(fields, "message"),
                Challenge = Fields.Item(fields, "challenge", PersonalChallenge.FromJson),
            };
        }
    }

    public sealed class AddMemberRequest : IJsonBody
    {
        /// <summary>Who gets a seat.</summary>
        public string ParticipantId { get; set; }
        /// <summary>owner: takes over from the present one. One of: owner, member.</summary>
        public string Role { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "participantId", ParticipantId);
            Fields.Put(json, "role", Role);
            return json;
        }
    }

    public sealed class BattlePassPurchase : IJsonBody
    {
        /// <summary>What was paid; more than 0 gives premium.</summary>
        public double? PurchasePrice { get; set; }
        /// <summary>EUR, USD, ….</summary>
        public string PurchaseCurrency { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "purchasePrice", PurchasePrice);
            Fields.Put(json, "purchaseCurrency", PurchaseCurrency);
            return json;
        }
    }

    public sealed class BattlePassUnlockInfo
    {
        public string PurchaseId { get; set; }
        public string BattlePassId { get; set; }
        public string UserId { get; set; }
        public double? PurchasePrice { get; set; }
        public string PurchaseCurrency { get; set; }
        public DateTimeOffset PurchasedAt { get; set; }
        public bool BattlePassCompleted { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static BattlePassUnlockInfo FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new BattlePassUnlockInfo
            {
                PurchaseId = Fields.Text(fields, "purchase_id"),
                BattlePassId = Fields.Text(fields, "battle_pass_id"),
                UserId = Fields.Text(fields, "user_id"),
                PurchasePrice = Fields.DoubleOrNull(fields, "purchase_price"),
                PurchaseCurrency = Fields.Text(fields, "purchase_currency"),
                PurchasedAt = Fields.Time(fields, "purchased_at"),
                BattlePassCompleted = Fields.Bool(fields, "battle_pass_completed"),
            };
        }
    }

    public sealed class BattlePassUnlockPayload : IJsonBody
    {
        /// <summary>What was paid, as stated by the client; only servers can give premium.</summary>
        public double? PurchasePrice { get; set; }
        /// <summary>EUR, USD, ….</summary>
        public string PurchaseCurrency { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "purchase_price", PurchasePrice);
            Fields.Put(json, "purchase_currency", PurchaseCurrency);
            return json;
        }
    }

    public sealed class CreateGatheringRequest : IJsonBody
    {
        /// <summary>Name.</summary>
        public string Name { get; set; }
        /// <summary>For people who look for a gathering.</summary>
        public string Description { get; set; }
        /// <summary>Kind of gathering. One of: lobby, appointment, open.</summary>
        public string Type { get; set; }
        /// <summary>Seats.</summary>
        public long? MaxMembers { get; set; }
        /// <summary>private: never listed; invite-only: a join code alone is not enough. One of: public, private, invite-only.</summary>
        public string AccessPolicy { get; set; }
        /// <summary>Include it in lists of listed gatherings.</summary>
        public bool? Listed { get; set; }
        /// <summary>Time at which an appointment starts by itself.</summary>
        public DateTimeOffset? StartsAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? EndsAt { get; set; }
        /// <summary>IANA zone in which the times are shown.</summary>
        public string Timezone { get; set; }
        /// <summary>Room of the gathering; default: named after the join code.</summary>
        public string RoomId { get; set; }
        /// <summary>Start a transcribed session with the gathering.</summary>
        public bool? AutoStartSession { get; set; }
        /// <summary>The game's own data.</summary>
        public Dictionary<string, object> Properties { get; set; }
        /// <summary>Properties that searches match.</summary>
        public Dictionary<string, object> SearchProperties { get; set; }
        /// <summary>Participant who takes the first seat; default: the first to join.</summary>
        public string OwnerId { get; set; }
        /// <summary>Name of the inviter in mails.</summary>
        public string InviterName { get; set; }
        /// <summary>Reply-to address of mails.</summary>
        public string InviterEmail { get; set; }
        /// <summary>Link in mails; {joinCode} in it becomes the code.</summary>
        public string InvitationUrl { get; set; }
        /// <summary>Addresses that get a mail with the join code, when mail is set up.</summary>
        public List<CreateGatheringRequestParticipant> Participants { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "name", Name);
            Fields.Put(json, "description", Description);
            Fields.Put(json, "type", Type);
            Fields.Put(json, "maxMembers", MaxMembers);
            Fields.Put(json, "accessPolicy", AccessPolicy);
            Fields.Put(json, "listed", Listed);
            Fields.Put(json, "startsAt", StartsAt);
            Fields.Put(json, "endsAt", EndsAt);
            Fields.Put(json, "timezone", Timezone);
            Fields.Put(json, "roomId", RoomId);
            Fields.Put(json, "autoStartSession", AutoStartSession);
            Fields.Put(json, "properties", Properties);
            Fields.Put(json, "searchProperties", SearchProperties);
            Fields.Put(json, "ownerId", OwnerId);
            Fields.Put(json, "inviterName", InviterName);
            Fields.Put(json, "inviterEmail", InviterEmail);
            Fields.Put(json, "invitationUrl", InvitationUrl);
            Fields.Put(json, "participants", Participants);
            return json;
        }
    }

    public sealed class CreateGatheringRequestParticipant : IJsonBody
    {
        /// <summary>E-mail address.</summary>
        public string Email { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "email", Email);
            return json;
        }
    }

    public sealed class CreateParticipantRequest : IJsonBody
    {
        /// <summary>The project's own id of a person.</summary>
        public string ExternalUserId { get; set; }
        /// <summary>Default: the external user id.</summary>
        public string DisplayName { get; set; }
        /// <summary>For the project's own use: an object.</summary>
        public Dictionary<string, object> UserData { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "externalUserId", ExternalUserId);
            Fields.Put(json, "displayName", DisplayName);
            Fields.Put(json, "userData", UserData);
            return json;
        }
    }

    public sealed class EventBatch : IJsonBody
    {
        /// <summary>Events, each in the form of the single operation.</summary>
        public List<EventPayload> Events { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "events", Events);
            return json;
        }
    }

    public sealed class EventBatchAnswer
    {
        /// <summary>In the order of the events.</summary>
        public List<EventBatchResult> Results { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static EventBatchAnswer FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new EventBatchAnswer
            {
                Results = Fields.Items(fields, "results", EventBatchResult.FromJson),
            };
        }
    }

    public sealed class EventBatchResult
    {
        /// <summary>Status that the single operation would have returned.</summary>
        public long Status { get; set; }
        public string Message { get; set; }
        /// <summary>What went wrong; null for an accepted event.</summary>
        public string Code { get; set; }
        public List<EventBatchResultDetail> Details { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static EventBatchResult FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new EventBatchResult
            {
                Status = Fields.Long(fields, "status"),
                Message = Fields.Text(fields, "message"),
                Code = Fields.Text(fields, "code"),
                Details = Fields.Items(fields, "details", EventBatchResultDetail.FromJson),
            };
        }
    }

    public sealed class EventBatchResultDetail
    {
        public string Path { get; set; }
        public string Message { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static EventBatchResultDetail FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new EventBatchResultDetail
            {
                Path = Fields.Text(fields, "path"),
                Message = Fields.Text(fields, "message"),
            };
        }
    }

    public sealed class EventDescription
    {
        public string EventName { get; set; }
        public List<EventProperty> RequiredProperties { get; set; }
        public List<EventProperty> OptionalProperties { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static EventDescription FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new EventDescription
            {
                EventName = Fields.Text(fields, "event_name"),
                RequiredProperties = Fields.Items(fields, "required_properties", EventProperty.FromJson),
                OptionalProperties = Fields.Items(fields, "optional_properties", EventProperty.FromJson),
            };
        }
    }

    public sealed class EventPayload : IJsonBody
    {
        /// <summary>Player; omit it with a player token, which names the player.</summary>
        public string UserId { get; set; }
        /// <summary>Event of the catalogue.</summary>
        public string EventName { get; set; }
        /// <summary>single adds to the counter (default), group sets it. One of: single, group.</summary>
        public string EventType { get; set; }
        /// <summary>Team of the player.</summary>
        public string TeamId { get; set; }
        /// <summary>Level or match; default: persistent.</summary>
        public string SessionId { get; set; }
        /// <summary>Properties of the event.</summary>
        public Dictionary<string, object> MetaData { get; set; }
        /// <summary>Other name of meta_data.</summary>
        public Dictionary<string, object> Metadata { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "user_id", UserId);
            Fields.Put(json, "event_name", EventName);
            Fields.Put(json, "event_type", EventType);
            Fields.Put(json, "team_id", TeamId);
            Fields.Put(json, "session_id", SessionId);
            Fields.Put(json, "meta_data", MetaData);
            Fields.Put(json, "metadata", Metadata);
            return json;
        }
    }

    public sealed class EventProperty
    {
        public string PropertyName { get; set; }
        /// <summary>One of: number, string.</summary>
        public string PropertyType { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static EventProperty FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new EventProperty
            {
                PropertyName = Fields.Text(fields, "property_name"),
                PropertyType = Fields.Text(fields, "property_type"),
            };
        }
    }

    public sealed class GatheringListResponse
    {
        /// <summary>Number of rows in total.</summary>
        public long Total { get; set; }
        public long Limit { get; set; }
        public long Offset { get; set; }
        /// <summary>Present only if the answer ended at 2 MiB, before its limit: pass this as `offset` to continue.</summary>
        public long? Next { get; set; }
        public List<GatheringResponse> Gatherings { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static GatheringListResponse FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new GatheringListResponse
            {
                Total = Fields.Long(fields, "total"),
                Limit = Fields.Long(fields, "limit"),
                Offset = Fields.Long(fields, "offset"),
                Next = Fields.LongOrNull(fields, "next"),
                Gatherings = Fields.Items(fields, "gatherings", GatheringResponse.FromJson),
            };
        }
    }

    public sealed class GatheringMember
    {
        public string Id { get; set; }
        public string GatheringId { get; set; }
        public string ParticipantId { get; set; }
        public string DisplayName { get; set; }
        /// <summary>One of: owner, member.</summary>
        public string Role { get; set; }
        /// <summary>invited takes no seat; left is past. One of: invited, joined, ready, left.</summary>
        public string Status { get; set; }
        public bool Ready { get; set; }
        /// <summary>When a ready mark that a queue_delay holds back takes effect.</summary>
        public DateTimeOffset? ReadyAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? JoinedAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? LeftAt { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static GatheringMember FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new GatheringMember
            {
                Id = Fields.Text(fields, "id"),
                GatheringId = Fields.Text(fields, "gatheringId"),
                ParticipantId = Fields.Text(fields, "participantId"),
                DisplayName = Fields.Text(fields, "displayName"),
                Role = Fields.Text(fields, "role"),
                Status = Fields.Text(fields, "status"),
                Ready = Fields.Bool(fields, "ready"),
                ReadyAt = Fields.TimeOrNull(fields, "readyAt"),
                JoinedAt = Fields.TimeOrNull(fields, "joinedAt"),
                LeftAt = Fields.TimeOrNull(fields, "leftAt"),
            };
        }
    }

    public sealed class GatheringResponse
    {
        public string Id { get; set; }
        public string TenantId { get; set; }
        public string ProjectId { get; set; }
        public string Name { get; set; }
        public string Description { get; set; }
        /// <summary>One of: lobby, appointment, open.</summary>
        public string Type { get; set; }
        /// <summary>One of: CREATED, STARTED, ENDED, CANCELLED, EXPIRED.</summary>
        public string Status { get; set; }
        public long MaxMembers { get; set; }
        /// <summary>Seats taken.</summary>
        public long MemberCount { get; set; }
        /// <summary>One of: public, private, invite-only.</summary>
        public string AccessPolicy { get; set; }
        public bool Listed { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? StartsAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? EndsAt { get; set; }
        public string Timezone { get; set; }
        public string RoomId { get; set; }
        public bool AutoStartSession { get; set; }
        /// <summary>The session that was started with it.</summary>
        public string SessionId { get; set; }
        /// <summary>8 characters; case and hyphens are ignored.</summary>
        public string JoinCode { get; set; }
        public Dictionary<string, object> Properties { get; set; }
        public Dictionary<string, object> SearchProperties { get; set; }
        /// <summary>Participant.</summary>
        public string OwnerId { get; set; }
        public string InviterName { get; set; }
        public string InviterEmail { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset CreatedAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset UpdatedAt { get; set; }
        /// <summary>When it will expire if nothing changes.</summary>
        public DateTimeOffset? ExpiresAt { get; set; }
        /// <summary>With includeMembers.</summary>
        public List<GatheringMember> Members { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static GatheringResponse FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new GatheringResponse
            {
                Id = Fields.Text(fields, "id"),
                TenantId = Fields.Text(fields, "tenantId"),
                ProjectId = Fields.Text(fields, "projectId"),
                Name = Fields.Text(fields, "name"),
                Description = Fields.Text(fields, "description"),
                Type = Fields.Text(fields, "type"),
                Status = Fields.Text(fields, "status"),
                MaxMembers = Fields.Long(fields, "maxMembers"),
                MemberCount = Fields.Long(fields, "memberCount"),
                AccessPolicy = Fields.Text(fields, "accessPolicy"),
                Listed = Fields.Bool(fields, "listed"),
                StartsAt = Fields.TimeOrNull(fields, "startsAt"),
                EndsAt = Fields.TimeOrNull(fields, "endsAt"),
                Timezone = Fields.Text(fields, "timezone"),
                RoomId = Fields.Text(fields, "roomId"),
                AutoStartSession = Fields.Bool(fields, "autoStartSession"),
                SessionId = Fields.Text(fields, "sessionId"),
                JoinCode = Fields.Text(fields, "joinCode"),
                Properties = Fields.Map(fields, "properties"),
                SearchProperties = Fields.Map(fields, "searchProperties"),
                OwnerId = Fields.Text(fields, "ownerId"),
                InviterName = Fields.Text(fields, "inviterName"),
                InviterEmail = Fields.Text(fields, "inviterEmail"),
                CreatedAt = Fields.Time(fields, "createdAt"),
                UpdatedAt = Fields.Time(fields, "updatedAt"),
                ExpiresAt = Fields.TimeOrNull(fields, "expiresAt"),
                Members = Fields.Items(fields, "members", GatheringMember.FromJson),
            };
        }
    }

    public sealed class GenerateProjectTokenRequest : IJsonBody
    {
        /// <summary>Room, by the id that the game uses.</summary>
        public string RoomId { get; set; }
        /// <summary>The project's own id of a person.</summary>
        public string UserId { get; set; }
        /// <summary>Shown in the room; default: the name that the project knows, else the user id.</summary>
        public string DisplayName { get; set; }
        /// <summary>User data in the room.</summary>
        public Dictionary<string, object> UserData { get; set; }
        /// <summary>Permissions to grant; sanctions against the user still apply.</summary>
        public RoomPermissions Permissions { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "roomId", RoomId);
            Fields.Put(json, "userId", UserId);
            Fields.Put(json, "displayName", DisplayName);
            Fields.Put(json, "userData", UserData);
            Fields.Put(json, "permissions", Permissions);
            return json;
        }
    }

    public sealed class GenerateTokenResponse
    {
        public string Token { get; set; }
        /// <summary>One of: embedded, livekit, access_key, url.</summary>
        public string Provider { get; set; }
        /// <summary>Where the room is.</summary>
        public string Url { get; set; }
        public string RoomId { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? ExpiresAt { get; set; }
        /// <summary>null when encryption is disabled.</summary>
        public RoomEncryption E2ee { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static GenerateTokenResponse FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new GenerateTokenResponse
            {
                Token = Fields.Text(fields, "token"),
                Provider = Fields.Text(fields, "provider"),
                Url = Fields.Text(fields, "url"),
                RoomId = Fields.Text(fields, "roomId"),
                ExpiresAt = Fields.TimeOrNull(fields, "expiresAt"),
                E2ee = Fields.Item(fields, "e2ee", RoomEncryption.FromJson),
            };
        }
    }

    public sealed class InvitationResponse
    {
        public string Id { get; set; }
        public string GatheringId { get; set; }
        public string ParticipantId { get; set; }
        /// <summary>One of: pending, accepted, declined.</summary>
        public string Status { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset CreatedAt { get; set; }
        /// <summary>null for a declined invitation: it expired.</summary>
        public DateTimeOffset? RespondedAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? ExpiresAt { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static InvitationResponse FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new InvitationResponse
            {
                Id = Fields.Text(fields, "id"),
                GatheringId = Fields.Text(fields, "gatheringId"),
                ParticipantId = Fields.Text(fields, "participantId"),
                Status = Fields.Text(fields, "status"),
                CreatedAt = Fields.Time(fields, "createdAt"),
                RespondedAt = Fields.TimeOrNull(fields, "respondedAt"),
                ExpiresAt = Fields.TimeOrNull(fields, "expiresAt"),
            };
        }
    }

    public sealed class JoinGatheringRequest : IJsonBody
    {
        /// <summary>Join code; case and hyphens are ignored.</summary>
        public string JoinCode { get; set; }
        /// <summary>Who joins.</summary>
        public string ParticipantId { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "joinCode", JoinCode);
            Fields.Put(json, "participantId", ParticipantId);
            return json;
        }
    }

    public sealed class JoinGatheringResponse
    {
        public bool Success { get; set; }
        public GatheringResponse Gathering { get; set; }
        public GatheringMember Member { get; set; }
        public object Error { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static JoinGatheringResponse FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new JoinGatheringResponse
            {
                Success = Fields.Bool(fields, "success"),
                Gathering = Fields.Item(fields, "gathering", GatheringResponse.FromJson),
                Member = Fields.Item(fields, "member", GatheringMember.FromJson),
                Error = Fields.Any(fields, "error"),
            };
        }
    }

    public sealed class Leaderboard
    {
        public string LeaderboardId { get; set; }
        public string Name { get; set; }
        public List<LeaderboardRanking> GroupedByUsers { get; set; }
        public List<LeaderboardRanking> GroupedByTeams { get; set; }
        /// <summary>In all.</summary>
        public long NumUsers { get; set; }
        /// <summary>In all.</summary>
        public long NumTeams { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static Leaderboard FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new Leaderboard
            {
                LeaderboardId = Fields.Text(fields, "leaderboard_id"),
                Name = Fields.Text(fields, "name"),
                GroupedByUsers = Fields.Items(fields, "grouped_by_users", LeaderboardRanking.FromJson),
                GroupedByTeams = Fields.Items(fields, "grouped_by_teams", LeaderboardRanking.FromJson),
                NumUsers = Fields.Long(fields, "num_users"),
                NumTeams = Fields.Long(fields, "num_teams"),
            };
        }
    }

    public sealed class LeaderboardMemberRanking
    {
        public string LeaderboardId { get; set; }
        public string Name { get; set; }
        public LeaderboardRanking Member { get; set; }
        /// <summary>The neighbours, if requested.</summary>
        public List<LeaderboardRanking> Around { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static LeaderboardMemberRanking FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new LeaderboardMemberRanking
            {
                LeaderboardId = Fields.Text(fields, "leaderboard_id"),
                Name = Fields.Text(fields, "name"),
                Member = Fields.Item(fields, "member", LeaderboardRanking.FromJson),
                Around = Fields.Items(fields, "around", LeaderboardRanking.FromJson),
            };
        }
    }

    public sealed class LeaderboardPeriod
    {
        public string Id { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset StartsAt { get; set; }
        /// <summary>When the next period begins, or the board ends if that is earlier; null: no reset is due, and no end is set.</summary>
        public DateTimeOffset? EndsAt { get; set; }
        public bool IsCurrent { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static LeaderboardPeriod FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new LeaderboardPeriod
            {
                Id = Fields.Text(fields, "id"),
                StartsAt = Fields.Time(fields, "startsAt"),
                EndsAt = Fields.TimeOrNull(fields, "endsAt"),
                IsCurrent = Fields.Bool(fields, "isCurrent"),
            };
        }
    }

    public sealed class LeaderboardPeriodList
    {
        /// <summary>Number of rows in total.</summary>
        public long Total { get; set; }
        public long Limit { get; set; }
        public long Offset { get; set; }
        /// <summary>Present only if the answer ended at 2 MiB, before its limit: pass this as `offset` to continue.</summary>
        public long? Next { get; set; }
        public List<LeaderboardPeriod> Periods { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static LeaderboardPeriodList FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new LeaderboardPeriodList
            {
                Total = Fields.Long(fields, "total"),
                Limit = Fields.Long(fields, "limit"),
                Offset = Fields.Long(fields, "offset"),
                Next = Fields.LongOrNull(fields, "next"),
                Periods = Fields.Items(fields, "periods", LeaderboardPeriod.FromJson),
            };
        }
    }

    public sealed class LeaderboardRanking
    {
        public string MemberId { get; set; }
        /// <summary>One of: user, team.</summary>
        public string MemberType { get; set; }
        public long Score { get; set; }
        /// <summary>From 1; -1: not on the board.</summary>
        public long Rank { get; set; }
        public LeaderboardRankingAdditionalInfo AdditionalInfo { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static LeaderboardRanking FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new LeaderboardRanking
            {
                MemberId = Fields.Text(fields, "member_id"),
                MemberType = Fields.Text(fields, "member_type"),
                Score = Fields.Long(fields, "score"),
                Rank = Fields.Long(fields, "rank"),
                AdditionalInfo = Fields.Item(fields, "additional_info", LeaderboardRankingAdditionalInfo.FromJson),
            };
        }
    }

    public sealed class LeaderboardRankingAdditionalInfo
    {
        public string Username { get; set; }
        public string AvatarImage { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static LeaderboardRankingAdditionalInfo FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new LeaderboardRankingAdditionalInfo
            {
                Username = Fields.Text(fields, "username"),
                AvatarImage = Fields.Text(fields, "avatarImage"),
            };
        }
    }

    public sealed class LevelActionResponse
    {
        public long Status { get; set; }
        public string Message { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static LevelActionResponse FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new LevelActionResponse
            {
                Status = Fields.Long(fields, "status"),
                Message = Fields.Text(fields, "message"),
            };
        }
    }

    public sealed class MoveMemberRequest : IJsonBody
    {
        /// <summary>The gathering in which the member gets a seat.</summary>
        public string GatheringId { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "gatheringId", GatheringId);
            return json;
        }
    }

    public sealed class NotificationTopic
    {
        /// <summary>MQTT topic to subscribe to.</summary>
        public string Topic { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static NotificationTopic FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new NotificationTopic
            {
                Topic = Fields.Text(fields, "topic"),
            };
        }
    }

    public sealed class Participant
    {
        public string Id { get; set; }
        public string TenantId { get; set; }
        public string ProjectId { get; set; }
        public string ExternalUserId { get; set; }
        public string DisplayName { get; set; }
        public Dictionary<string, object> UserData { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset JoinedAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset UpdatedAt { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static Participant FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new Participant
            {
                Id = Fields.Text(fields, "id"),
                TenantId = Fields.Text(fields, "tenantId"),
                ProjectId = Fields.Text(fields, "projectId"),
                ExternalUserId = Fields.Text(fields, "externalUserId"),
                DisplayName = Fields.Text(fields, "displayName"),
                UserData = Fields.Map(fields, "userData"),
                JoinedAt = Fields.Time(fields, "joinedAt"),
                UpdatedAt = Fields.Time(fields, "updatedAt"),
            };
        }
    }

    public sealed class PersonalBattlePass
    {
        public string BattlePassId { get; set; }
        public string AppId { get; set; }
        public long BattlePassPriority { get; set; }
        public DateTimeOffset? StartDate { get; set; }
        public DateTimeOffset? EndDate { get; set; }
        /// <summary>True while it is running, by its dates.</summary>
        public bool IsActive { get; set; }
        public string BattlePassName { get; set; }
        public string BattlePassDescription { get; set; }
        public string BattlePassShortDescription { get; set; }
        public string BattlePassDisclaimer { get; set; }
        public string PackageSkuIos { get; set; }
        public string PackageSkuAndroid { get; set; }
        public string ImageXs { get; set; }
        public string ImageS { get; set; }
        public string ImageM { get; set; }
        public string ImageL { get; set; }
        public string ImageXl { get; set; }
        public string ReadMoreLink { get; set; }
        public bool IsUnlockedIncrementally { get; set; }
        /// <summary>When the player unlocked it; null: not yet.</summary>
        public DateTimeOffset? UnlockedAt { get; set; }
        public bool CanPurchaseWithMoney { get; set; }
        public bool CanPurchaseWithCoins { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static PersonalBattlePass FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new PersonalBattlePass
            {
                BattlePassId = Fields.Text(fields, "battle_pass_id"),
                AppId = Fields.Text(fields, "app_id"),
                BattlePassPriority = Fields.Long(fields, "battle_pass_priority"),
                StartDate = Fields.TimeOrNull(fields, "start_date"),
                EndDate = Fields.TimeOrNull(fields, "end_date"),
                IsActive = Fields.Bool(fields, "is_active"),
                BattlePassName = Fields.Text(fields, "battle_pass_name"),
                BattlePassDescription = Fields.Text(fields, "battle_pass_description"),
                BattlePassShortDescription = Fields.Text(fields, "battle_pass_short_description"),
                BattlePassDisclaimer = Fields.Text(fields, "battle_pass_disclaimer"),
                PackageSkuIos = Fields.Text(fields, "package_sku_ios"),
                PackageSkuAndroid = Fields.Text(fields, "package_sku_android"),
                ImageXs = Fields.Text(fields, "image_xs"),
                ImageS = Fields.Text(fields, "image_s"),
                ImageM = Fields.Text(fields, "image_m"),
                ImageL = Fields.Text(fields, "image_l"),
                ImageXl = Fields.Text(fields, "image_xl"),
                ReadMoreLink = Fields.Text(fields, "read_more_link"),
                IsUnlockedIncrementally = Fields.Bool(fields, "is_unlocked_incrementally"),
                UnlockedAt = Fields.TimeOrNull(fields, "unlocked_at"),
                CanPurchaseWithMoney = Fields.Bool(fields, "can_purchase_with_money"),
                CanPurchaseWithCoins = Fields.Bool(fields, "can_purchase_with_coins"),
            };
        }
    }

    public sealed class PersonalBattlePassLevel
    {
        public string LevelId { get; set; }
        public string AppId { get; set; }
        public string BattlePassId { get; set; }
        public string RewardAmount { get; set; }
        /// <summary>Kind of reward, for people.</summary>
        public string RewardTypeName { get; set; }
        /// <summary>Kind of reward.</summary>
        public string LevelRewardType { get; set; }
        public bool LevelCompleted { get; set; }
        /// <summary>Place in the pass, from 1.</summary>
        public long LevelPriority { get; set; }
        /// <summary>True if nothing is left to claim on the player's tracks.</summary>
        public bool RewardClaimed { get; set; }
        /// <summary>null: not activated.</summary>
        public DateTimeOffset? ActivatedAt { get; set; }
        public List<PersonalLevelChallenge> Challenges { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static PersonalBattlePassLevel FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new PersonalBattlePassLevel
            {
                LevelId = Fields.Text(fields, "level_id"),
                AppId = Fields.Text(fields, "app_id"),
                BattlePassId = Fields.Text(fields, "battle_pass_id"),
                RewardAmount = Fields.Text(fields, "reward_amount"),
                RewardTypeName = Fields.Text(fields, "reward_type_name"),
                LevelRewardType = Fields.Text(fields, "level_reward_type"),
                LevelCompleted = Fields.Bool(fields, "level_completed"),
                LevelPriority = Fields.Long(fields, "level_priority"),
                RewardClaimed = Fields.Bool(fields, "reward_claimed"),
                ActivatedAt = Fields.TimeOrNull(fields, "activated_at"),
                Challenges = Fields.Items(fields, "challenges", PersonalLevelChallenge.FromJson),
            };
        }
    }

    public sealed class PersonalChallenge
    {
        public string ChallengeId { get; set; }
        /// <summary>Minutes; null: no limit.</summary>
        public long? ChallengeDurationTime { get; set; }
        public DateTimeOffset? LiveDate { get; set; }
        public long ChallengeGoal { get; set; }
        /// <summary>Counter.</summary>
        public long UserChallengeCurrentScore { get; set; }
        public string ChallengeIcon { get; set; }
        public string ChallengeIconHd { get; set; }
        public long? ChallengePrice { get; set; }
        public string ChallengeReward { get; set; }
        public string ChallengeRewardType { get; set; }
        /// <summary>0: reach the goal; 1: stay below it. One of: 0, 1.</summary>
        public long ChallengeGoalCondition { get; set; }
        public long? ChallengeXp { get; set; }
        public bool Repeatable { get; set; }
        /// <summary>State. One of: unlock, unlocked, in-progress, unclaimed, finished, lost.</summary>
        public string Type { get; set; }
        public bool ChallengeAutoActivated { get; set; }
        public bool IsClaimed { get; set; }
        public DateTimeOffset? UserChallengeUnlockedAt { get; set; }
        public DateTimeOffset? UserChallengeActivatedAt { get; set; }
        public bool UserChallengeIsClaimed { get; set; }
        /// <summary>The state as a number, in the order of its values.</summary>
        public long UserChallengeStatus { get; set; }
        public string ChallengeName { get; set; }
        public string ChallengeDescription { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static PersonalChallenge FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new PersonalChallenge
            {
                ChallengeId = Fields.Text(fields, "challenge_id"),
                ChallengeDurationTime = Fields.LongOrNull(fields, "challenge_duration_time"),
                LiveDate = Fields.TimeOrNull(fields, "live_date"),
                ChallengeGoal = Fields.Long(fields, "challenge_goal"),
                UserChallengeCurrentScore = Fields.Long(fields, "user_challenge_current_score"),
                ChallengeIcon = Fields.Text(fields, "challenge_icon"),
                ChallengeIconHd = Fields.Text(fields, "challenge_icon_hd"),
                ChallengePrice = Fields.LongOrNull(fields, "challenge_price"),
                ChallengeReward = Fields.Text(fields, "challenge_reward"),
                ChallengeRewardType = Fields.Text(fields, "challenge_reward_type"),
                ChallengeGoalCondition = Fields.Long(fields, "challenge_goal_condition"),
                ChallengeXp = Fields.LongOrNull(fields, "challenge_xp"),
                Repeatable = Fields.Bool(fields, "repeatable"),
                Type = Fields.Text(fields, "type"),
                ChallengeAutoActivated = Fields.Bool(fields, "challenge_auto_activated"),
                IsClaimed = Fields.Bool(fields, "is_claimed"),
                UserChallengeUnlockedAt = Fields.TimeOrNull(fields, "user_challenge_unlocked_at"),
                UserChallengeActivatedAt = Fields.TimeOrNull(fields, "user_challenge_activated_at"),
                UserChallengeIsClaimed = Fields.Bool(fields, "user_challenge_is_claimed"),
                UserChallengeStatus = Fields.Long(fields, "user_challenge_status"),
                ChallengeName = Fields.Text(fields, "challenge_name"),
                ChallengeDescription = Fields.Text(fields, "challenge_description"),
            };
        }
    }

    public sealed class PersonalChallengeCategory
    {
        public bool IsDailyCategory { get; set; }
        public long CategoryPosition { get; set; }
        public string CategorySlug { get; set; }
        public string CategoryName { get; set; }
        public string CategoryId { get; set; }
        public List<PersonalChallenge> Challenges { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static PersonalChallengeCategory FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new PersonalChallengeCategory
            {
                IsDailyCategory = Fields.Bool(fields, "is_daily_category"),
                CategoryPosition = Fields.Long(fields, "category_position"),
                CategorySlug = Fields.Text(fields, "category_slug"),
                CategoryName = Fields.Text(fields, "category_name"),
                CategoryId = Fields.Text(fields, "category_id"),
                Challenges = Fields.Items(fields, "challenges", PersonalChallenge.FromJson),
            };
        }
    }

    public sealed class PersonalLevelChallenge
    {
        public string ChallengeId { get; set; }
        public string ChallengeName { get; set; }
        public string ChallengeDescription { get; set; }
        public long ChallengeGoal { get; set; }
        /// <summary>0: reach the goal; 1: stay below it. One of: 0, 1.</summary>
        public long ChallengeGoalCondition { get; set; }
        /// <summary>Minutes; null: no limit.</summary>
        public long? ChallengeDurationTime { get; set; }
        /// <summary>Counter.</summary>
        public long UserChallengeCurrentScore { get; set; }
        public DateTimeOffset? UserChallengeActivatedAt { get; set; }
        public long? ChallengeXp { get; set; }
        public string ChallengeIcon { get; set; }
        public string ChallengeIconHd { get; set; }
        /// <summary>State. One of: unlock, in-progress, overtime, finished.</summary>
        public string Type { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static PersonalLevelChallenge FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new PersonalLevelChallenge
            {
                ChallengeId = Fields.Text(fields, "challenge_id"),
                ChallengeName = Fields.Text(fields, "challenge_name"),
                ChallengeDescription = Fields.Text(fields, "challenge_description"),
                ChallengeGoal = Fields.Long(fields, "challenge_goal"),
                ChallengeGoalCondition = Fields.Long(fields, "challenge_goal_condition"),
                ChallengeDurationTime = Fields.LongOrNull(fields, "challenge_duration_time"),
                UserChallengeCurrentScore = Fields.Long(fields, "user_challenge_current_score"),
                UserChallengeActivatedAt = Fields.TimeOrNull(fields, "user_challenge_activated_at"),
                ChallengeXp = Fields.LongOrNull(fields, "challenge_xp"),
                ChallengeIcon = Fields.Text(fields, "challenge_icon"),
                ChallengeIconHd = Fields.Text(fields, "challenge_icon_hd"),
                Type = Fields.Text(fields, "type"),
            };
        }
    }

    public sealed class Player
    {
        public string UserId { get; set; }
        public UserInfo Info { get; set; }
        public List<PlayerChallenge> Challenges { get; set; }
        /// <summary>The challenges that the player has unlocked.</summary>
        public List<PlayerBattlePass> BattlePasses { get; set; }
        /// <summary>The leaderboards that the player is on now.</summary>
        public List<PlayerRank> Leaderboards { get; set; }
        /// <summary>In force now.</summary>
        public List<SanctionResponse> Sanctions { get; set; }
        /// <summary>Present only if the answer ended at 2 MiB: the parts that are incomplete. Read the remaining sanctions with listActiveUserSanctions, and the other parts with a player token of the player.</summary>
        public List<string> Cut { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static Player FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new Player
            {
                UserId = Fields.Text(fields, "userId"),
                Info = Fields.Item(fields, "info", UserInfo.FromJson),
                Challenges = Fields.Items(fields, "challenges", PlayerChallenge.FromJson),
                BattlePasses = Fields.Items(fields, "battlePasses", PlayerBattlePass.FromJson),
                Leaderboards = Fields.Items(fields, "leaderboards", PlayerRank.FromJson),
                Sanctions = Fields.Items(fields, "sanctions", SanctionResponse.FromJson),
                Cut = Fields.Items(fields, "cut", Fields.AsText),
            };
        }
    }

    public sealed class PlayerBattlePass
    {
        public string BattlePassId { get; set; }
        public Dictionary<string, string> Name { get; set; }
        public string UserId { get; set; }
        public string PurchaseId { get; set; }
        public double? PurchasePrice { get; set; }
        public string PurchaseCurrency { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset UnlockedAt { get; set; }
        /// <summary>Since when the player has premium; null: the free track alone.</summary>
        public DateTimeOffset? PremiumAt { get; set; }
        /// <summary>True once every level is completed.</summary>
        public bool Completed { get; set; }
        /// <summary>In order.</summary>
        public List<PlayerBattlePassLevel> Levels { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static PlayerBattlePass FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new PlayerBattlePass
            {
                BattlePassId = Fields.Text(fields, "battlePassId"),
                Name = Fields.TextMap(fields, "name"),
                UserId = Fields.Text(fields, "userId"),
                PurchaseId = Fields.Text(fields, "purchaseId"),
                PurchasePrice = Fields.DoubleOrNull(fields, "purchasePrice"),
                PurchaseCurrency = Fields.Text(fields, "purchaseCurrency"),
                UnlockedAt = Fields.Time(fields, "unlockedAt"),
                PremiumAt = Fields.TimeOrNull(fields, "premiumAt"),
                Completed = Fields.Bool(fields, "completed"),
                Levels = Fields.Items(fields, "levels", PlayerBattlePassLevel.FromJson),
            };
        }
    }

    public sealed class PlayerBattlePassLevel
    {
        public string LevelId { get; set; }
        public string BattlePassId { get; set; }
        public long Position { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? ActivatedAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? CompletedAt { get; set; }
        /// <summary>When the reward of the free track was claimed.</summary>
        public DateTimeOffset? ClaimedAt { get; set; }
        /// <summary>When the reward of the premium track was claimed.</summary>
        public DateTimeOffset? PremiumClaimedAt { get; set; }
        public List<PlayerBattlePassLevelChallenge> Challenges { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static PlayerBattlePassLevel FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new PlayerBattlePassLevel
            {
                LevelId = Fields.Text(fields, "levelId"),
                BattlePassId = Fields.Text(fields, "battlePassId"),
                Position = Fields.Long(fields, "position"),
                ActivatedAt = Fields.TimeOrNull(fields, "activatedAt"),
                CompletedAt = Fields.TimeOrNull(fields, "completedAt"),
                ClaimedAt = Fields.TimeOrNull(fields, "claimedAt"),
                PremiumClaimedAt = Fields.TimeOrNull(fields, "premiumClaimedAt"),
                Challenges = Fields.Items(fields, "challenges", PlayerBattlePassLevelChallenge.FromJson),
            };
        }
    }

    public sealed class PlayerBattlePassLevelChallenge
    {
        public string ChallengeId { get; set; }
        public Dictionary<string, string> Name { get; set; }
        /// <summary>One of: unlock, in-progress, overtime, finished.</summary>
        public string State { get; set; }
        public long Counter { get; set; }
        public long Goal { get; set; }
        /// <summary>When the time runs out; null: no limit.</summary>
        public DateTimeOffset? EndsAt { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static PlayerBattlePassLevelChallenge FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new PlayerBattlePassLevelChallenge
            {
                ChallengeId = Fields.Text(fields, "challengeId"),
                Name = Fields.TextMap(fields, "name"),
                State = Fields.Text(fields, "state"),
                Counter = Fields.Long(fields, "counter"),
                Goal = Fields.Long(fields, "goal"),
                EndsAt = Fields.TimeOrNull(fields, "endsAt"),
            };
        }
    }

    public sealed class PlayerChallenge
    {
        public string ChallengeId { get; set; }
        public Dictionary<string, string> Name { get; set; }
        public string UserId { get; set; }
        /// <summary>One of: unlock, unlocked, in-progress, unclaimed, finished.</summary>
        public string State { get; set; }
        public long Counter { get; set; }
        public long Goal { get; set; }
        /// <summary>One of: 0, 1.</summary>
        public long GoalCondition { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? UnlockedAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? ActivatedAt { get; set; }
        /// <summary>When the time runs out; null: no limit.</summary>
        public DateTimeOffset? EndsAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? ClaimedAt { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static PlayerChallenge FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new PlayerChallenge
            {
                ChallengeId = Fields.Text(fields, "challengeId"),
                Name = Fields.TextMap(fields, "name"),
                UserId = Fields.Text(fields, "userId"),
                State = Fields.Text(fields, "state"),
                Counter = Fields.Long(fields, "counter"),
                Goal = Fields.Long(fields, "goal"),
                GoalCondition = Fields.Long(fields, "goalCondition"),
                UnlockedAt = Fields.TimeOrNull(fields, "unlockedAt"),
                ActivatedAt = Fields.TimeOrNull(fields, "activatedAt"),
                EndsAt = Fields.TimeOrNull(fields, "endsAt"),
                ClaimedAt = Fields.TimeOrNull(fields, "claimedAt"),
            };
        }
    }

    public sealed class PlayerRank
    {
        public string LeaderboardId { get; set; }
        public Dictionary<string, string> Name { get; set; }
        /// <summary>From 1.</summary>
        public long Rank { get; set; }
        public long Score { get; set; }
        /// <summary>Users on the board.</summary>
        public long Members { get; set; }
        /// <summary>Next reset; null: none.</summary>
        public DateTimeOffset? EndsAt { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static PlayerRank FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new PlayerRank
            {
                LeaderboardId = Fields.Text(fields, "leaderboardId"),
                Name = Fields.TextMap(fields, "name"),
                Rank = Fields.Long(fields, "rank"),
                Score = Fields.Long(fields, "score"),
                Members = Fields.Long(fields, "members"),
                EndsAt = Fields.TimeOrNull(fields, "endsAt"),
            };
        }
    }

    public sealed class RoomEncryption
    {
        /// <summary>One of: manual, disabled, automatic.</summary>
        public string Mode { get; set; }
        /// <summary>Password (manual) or key (automatic) of the room.</summary>
        public string Key { get; set; }
        public long? KeyIndex { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static RoomEncryption FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new RoomEncryption
            {
                Mode = Fields.Text(fields, "mode"),
                Key = Fields.Text(fields, "key"),
                KeyIndex = Fields.LongOrNull(fields, "keyIndex"),
            };
        }
    }

    public sealed class RoomPermissions : IJsonBody
    {
        public bool? Publish { get; set; }
        public bool? Subscribe { get; set; }
        /// <summary>Shows what only moderators see, and allows mutes, kicks, bans and notes if the caller may impose sanctions; only for rooms of this daemon.</summary>
        public bool? Moderate { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "publish", Publish);
            Fields.Put(json, "subscribe", Subscribe);
            Fields.Put(json, "moderate", Moderate);
            return json;
        }
    }

    public sealed class SanctionEvidence
    {
        /// <summary>Messages of the project.</summary>
        public List<string> MessageIds { get; set; }
        /// <summary>A rule of the project.</summary>
        public string RuleId { get; set; }
        /// <summary>A version of that rule.</summary>
        public long? RuleVersion { get; set; }
        /// <summary>The score that the rule found.</summary>
        public double? Score { get; set; }
        /// <summary>A review of the project.</summary>
        public string ReviewId { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static SanctionEvidence FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new SanctionEvidence
            {
                MessageIds = Fields.Items(fields, "messageIds", Fields.AsText),
                RuleId = Fields.Text(fields, "ruleId"),
                RuleVersion = Fields.LongOrNull(fields, "ruleVersion"),
                Score = Fields.DoubleOrNull(fields, "score"),
                ReviewId = Fields.Text(fields, "reviewId"),
            };
        }
    }

    public sealed class SanctionParameters
    {
        /// <summary>rate_limit; default: 20.</summary>
        public long? SpeakingSecondsPerMinute { get; set; }
        /// <summary>party_restriction; default: 1.</summary>
        public long? MaxGatheringSize { get; set; }
        /// <summary>queue_delay; default: 30.</summary>
        public long? DelaySeconds { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static SanctionParameters FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new SanctionParameters
            {
                SpeakingSecondsPerMinute = Fields.LongOrNull(fields, "speakingSecondsPerMinute"),
                MaxGatheringSize = Fields.LongOrNull(fields, "maxGatheringSize"),
                DelaySeconds = Fields.LongOrNull(fields, "delaySeconds"),
            };
        }
    }

    public sealed class SanctionResponse
    {
        public string Id { get; set; }
        public string TenantId { get; set; }
        public string ProjectId { get; set; }
        public string ParticipantId { get; set; }
        public string ExternalUserId { get; set; }
        /// <summary>The sanction applies in this session only.</summary>
        public string SessionId { get; set; }
        /// <summary>One of: warn, mute, listen_only, text_only, rate_limit, shadow_mute, temp_ban, perm_ban, ranked_restriction, queue_delay, party_restriction, human_review.</summary>
        public string Type { get; set; }
        /// <summary>As sent: text or an object.</summary>
        public object Scope { get; set; }
        public Dictionary<string, object> Metadata { get; set; }
        public SanctionParameters Parameters { get; set; }
        public SanctionEvidence Evidence { get; set; }
        /// <summary>Reason, shown to the sanctioned person.</summary>
        public string Reason { get; set; }
        /// <summary>Only for moderators and keys with the scope sanctions; absent for everybody else and in events.</summary>
        public string Note { get; set; }
        /// <summary>Seconds; null: until revoked.</summary>
        public long? Duration { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset StartAt { get; set; }
        /// <summary>null: permanent.</summary>
        public DateTimeOffset? EndAt { get; set; }
        /// <summary>User, API key, or participant with a moderator's link; null: a rule imposed it.</summary>
        public string CreatedByUserId { get; set; }
        /// <summary>Who imposed it: an e-mail address, `key NAME`, `player ID`, `rule NAME` or `the system`; null: deleted, or not visible to the caller. Absent in events.</summary>
        public string CreatedBy { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset CreatedAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset UpdatedAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? RevokedAt { get; set; }
        public string RevokedByUserId { get; set; }
        public string RevokeReason { get; set; }
        /// <summary>The batch that issued it.</summary>
        public string BatchId { get; set; }
        /// <summary>In force at this moment.</summary>
        public bool IsActive { get; set; }
        /// <summary>One of: active, expired, revoked.</summary>
        public string Status { get; set; }
        public Participant Participant { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static SanctionResponse FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new SanctionResponse
            {
                Id = Fields.Text(fields, "id"),
                TenantId = Fields.Text(fields, "tenantId"),
                ProjectId = Fields.Text(fields, "projectId"),
                ParticipantId = Fields.Text(fields, "participantId"),
                ExternalUserId = Fields.Text(fields, "externalUserId"),
                SessionId = Fields.Text(fields, "sessionId"),
                Type = Fields.Text(fields, "type"),
                Scope = Fields.Any(fields, "scope"),
                Metadata = Fields.Map(fields, "metadata"),
                Parameters = Fields.Item(fields, "parameters", SanctionParameters.FromJson),
                Evidence = Fields.Item(fields, "evidence", SanctionEvidence.FromJson),
                Reason = Fields.Text(fields, "reason"),
                Note = Fields.Text(fields, "note"),
                Duration = Fields.LongOrNull(fields, "duration"),
                StartAt = Fields.Time(fields, "startAt"),
                EndAt = Fields.TimeOrNull(fields, "endAt"),
                CreatedByUserId = Fields.Text(fields, "createdByUserId"),
                CreatedBy = Fields.Text(fields, "createdBy"),
                CreatedAt = Fields.Time(fields, "createdAt"),
                UpdatedAt = Fields.Time(fields, "updatedAt"),
                RevokedAt = Fields.TimeOrNull(fields, "revokedAt"),
                RevokedByUserId = Fields.Text(fields, "revokedByUserId"),
                RevokeReason = Fields.Text(fields, "revokeReason"),
                BatchId = Fields.Text(fields, "batchId"),
                IsActive = Fields.Bool(fields, "isActive"),
                Status = Fields.Text(fields, "status"),
                Participant = Fields.Item(fields, "participant", Participant.FromJson),
            };
        }
    }

    public sealed class SendInvitationsRequest : IJsonBody
    {
        /// <summary>Whom to invite.</summary>
        public List<string> ParticipantIds { get; set; }
        /// <summary>Until when they may accept; default: 7 days.</summary>
        public DateTimeOffset? ExpiresAt { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "participantIds", ParticipantIds);
            Fields.Put(json, "expiresAt", ExpiresAt);
            return json;
        }
    }

    public sealed class StartGatheringRequest : IJsonBody
    {
        /// <summary>Room to bind; default: the one it has.</summary>
        public string RoomId { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "roomId", RoomId);
            return json;
        }
    }

    public sealed class StreamClosed
    {
        /// <summary>One of: access_gone, slow_consumer, shutting_down.</summary>
        public string Reason { get; set; }
        /// <summary>What happened and what to do, for people.</summary>
        public string Message { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static StreamClosed FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new StreamClosed
            {
                Reason = Fields.Text(fields, "reason"),
                Message = Fields.Text(fields, "message"),
            };
        }
    }

    public sealed class StreamGap
    {
        /// <summary>The event that the client saw last.</summary>
        public string LastEventId { get; set; }
        /// <summary>The oldest event that is kept; null: none.</summary>
        public string OldestId { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static StreamGap FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new StreamGap
            {
                LastEventId = Fields.Text(fields, "lastEventId"),
                OldestId = Fields.Text(fields, "oldestId"),
            };
        }
    }

    public sealed class UpdateGatheringRequest : IJsonBody
    {
        /// <summary>Name.</summary>
        public string Name { get; set; }
        /// <summary>For people who look for a gathering; null: none.</summary>
        public string Description { get; set; }
        /// <summary>Kind of gathering. One of: lobby, appointment, open.</summary>
        public string Type { get; set; }
        /// <summary>Seats.</summary>
        public long? MaxMembers { get; set; }
        /// <summary>Who may join. One of: public, private, invite-only.</summary>
        public string AccessPolicy { get; set; }
        /// <summary>Include it in lists of listed gatherings.</summary>
        public bool? Listed { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? StartsAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? EndsAt { get; set; }
        /// <summary>IANA zone in which the times are shown.</summary>
        public string Timezone { get; set; }
        /// <summary>null: named after the join code.</summary>
        public string RoomId { get; set; }
        /// <summary>Start a transcribed session with the gathering.</summary>
        public bool? AutoStartSession { get; set; }
        /// <summary>Replaced as a whole.</summary>
        public Dictionary<string, object> Properties { get; set; }
        /// <summary>Replaced as a whole.</summary>
        public Dictionary<string, object> SearchProperties { get; set; }
        /// <summary>Member who takes over.</summary>
        public string OwnerId { get; set; }
        /// <summary>Name of the inviter in mails.</summary>
        public string InviterName { get; set; }
        /// <summary>E-mail address.</summary>
        public string InviterEmail { get; set; }
        /// <summary>Link in mails; {joinCode} in it becomes the code.</summary>
        public string InvitationUrl { get; set; }
        /// <summary>Further addresses that get a mail.</summary>
        public List<UpdateGatheringRequestParticipant> Participants { get; set; }
        /// <summary>Names of fields to clear: description, startsAt, endsAt, timezone, roomId, properties, searchProperties, inviterName, inviterEmail, invitationUrl.</summary>
        public List<string> Cleared { get; } = new List<string>();

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "name", Name);
            Fields.Put(json, "description", Description);
            Fields.Put(json, "type", Type);
            Fields.Put(json, "maxMembers", MaxMembers);
            Fields.Put(json, "accessPolicy", AccessPolicy);
            Fields.Put(json, "listed", Listed);
            Fields.Put(json, "startsAt", StartsAt);
            Fields.Put(json, "endsAt", EndsAt);
            Fields.Put(json, "timezone", Timezone);
            Fields.Put(json, "roomId", RoomId);
            Fields.Put(json, "autoStartSession", AutoStartSession);
            Fields.Put(json, "properties", Properties);
            Fields.Put(json, "searchProperties", SearchProperties);
            Fields.Put(json, "ownerId", OwnerId);
            Fields.Put(json, "inviterName", InviterName);
            Fields.Put(json, "inviterEmail", InviterEmail);
            Fields.Put(json, "invitationUrl", InvitationUrl);
            Fields.Put(json, "participants", Participants);
            foreach (var name in Cleared) json[name] = null;
            return json;
        }
    }

    public sealed class UpdateGatheringRequestParticipant : IJsonBody
    {
        /// <summary>E-mail address.</summary>
        public string Email { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "email", Email);
            return json;
        }
    }

    public sealed class UpdateMemberRequest : IJsonBody
    {
        /// <summary>Ready mark.</summary>
        public bool? Ready { get; set; }
        /// <summary>joined, ready or left. One of: invited, joined, ready, left.</summary>
        public string Status { get; set; }
        /// <summary>owner: takes over; member: the owner hands over to the longest-standing member. One of: owner, member.</summary>
        public string Role { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "ready", Ready);
            Fields.Put(json, "status", Status);
            Fields.Put(json, "role", Role);
            return json;
        }
    }

    public sealed class UserInfo
    {
        public string Username { get; set; }
        public string AvatarImage { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static UserInfo FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new UserInfo
            {
                Username = Fields.Text(fields, "username"),
                AvatarImage = Fields.Text(fields, "avatarImage"),
            };
        }
    }

    public sealed class UserInfoRequest : IJsonBody
    {
        /// <summary>Shown in rankings; no personal data.</summary>
        public string Username { get; set; }
        /// <summary>Reference to an avatar: a sprite name or an address.</summary>
        public string AvatarImage { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "username", Username);
            Fields.Put(json, "avatarImage", AvatarImage);
            return json;
        }
    }
}
