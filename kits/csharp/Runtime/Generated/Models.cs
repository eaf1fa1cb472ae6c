// Written by `npm run kits:csharp` from src/contract. Do not edit.
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Earshot
{
    /// <summary>Body of `acceptGatheringInvitation`: Accept an invitation and take a seat.</summary>
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

    /// <summary>Answer of `generateAccessToken`: Create a player token: a short-lived credential of one player.</summary>
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

    /// <summary>Answer of `unlockPersonalChallenge`: Unlock a challenge for the player.</summary>
    public sealed class ActionResponse
    {
        /// <summary>HTTP status.</summary>
        public long Status { get; set; }
        /// <summary>What happened, for people.</summary>
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
                Challenge = Fields.Item(fields, "challenge", Earshot.PersonalChallenge.FromJson),
            };
        }
    }

    /// <summary>Body of `addGatheringMember`: Give a participant a seat, whatever the access policy.</summary>
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

    /// <summary>Body of `unlockPlayerBattlePass`: Unlock a battle pass for a player.</summary>
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

    /// <summary>Answer of `unlockBattlePass`: Unlock a battle pass for the player, even before it starts.</summary>
    public sealed class BattlePassUnlockInfo
    {
        /// <summary>Purchase.</summary>
        public string PurchaseId { get; set; }
        /// <summary>Battle pass.</summary>
        public string BattlePassId { get; set; }
        /// <summary>Player.</summary>
        public string UserId { get; set; }
        /// <summary>Price that was paid; null: unknown.</summary>
        public double? PurchasePrice { get; set; }
        /// <summary>Currency of the purchase; null: unknown.</summary>
        public string PurchaseCurrency { get; set; }
        /// <summary>When the battle pass was unlocked.</summary>
        public DateTimeOffset PurchasedAt { get; set; }
        /// <summary>True once every level is completed.</summary>
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

    /// <summary>Body of `unlockBattlePass`: Unlock a battle pass for the player, even before it starts.</summary>
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

    /// <summary>Body of `blockPerson`: Block a person for another one, who hears them no more.</summary>
    public sealed class BlockRequest : IJsonBody
    {
        /// <summary>Person to block.</summary>
        public string BlockedUserId { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "blockedUserId", BlockedUserId);
            return json;
        }
    }

    /// <summary>Body of `complainAsPlayer`: Complain about the decision on one of your own reports.</summary>
    public sealed class ComplaintRequest : IJsonBody
    {
        /// <summary>Why the decision is wrong.</summary>
        public string Statement { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "statement", Statement);
            return json;
        }
    }

    /// <summary>Body of `createGathering`: Create a gathering with a join code of its own.</summary>
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

    /// <summary>Body of `createParticipant`: Create a participant, or return the one that exists.</summary>
    public sealed class CreateParticipantRequest : IJsonBody
    {
        /// <summary>The project's own id of a person.</summary>
        public string ExternalUserId { get; set; }
        /// <summary>Default: the external user id.</summary>
        public string DisplayName { get; set; }
        /// <summary>For the project's own use: an object.</summary>
        public Dictionary<string, object> UserData { get; set; }
        /// <summary>Language of texts for this person, and of their speech: en, de, ….</summary>
        public string Language { get; set; }
        /// <summary>Under age.</summary>
        public bool? Minor { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "externalUserId", ExternalUserId);
            Fields.Put(json, "displayName", DisplayName);
            Fields.Put(json, "userData", UserData);
            Fields.Put(json, "language", Language);
            Fields.Put(json, "minor", Minor);
            return json;
        }
    }

    /// <summary>Body of `sendEvents`: Submit up to 1000 game events; each gets its own result.</summary>
    public sealed class EventBatch : IJsonBody
    {
        /// <summary>Events, each in the form of the single operation.</summary>
        public List<EventPayload> Events { get; set; }
        /// <summary>The sender's clock as it sends this: what it is wrong by is taken off every `occurred_at`.</summary>
        public DateTimeOffset? SentAt { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "events", Events);
            Fields.Put(json, "sent_at", SentAt);
            return json;
        }
    }

    /// <summary>Answer of `sendEvents`: Submit up to 1000 game events; each gets its own result.</summary>
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
                Results = Fields.Items(fields, "results", Earshot.EventBatchResult.FromJson),
            };
        }
    }

    /// <summary>`results` of `EventBatchAnswer`</summary>
    public sealed class EventBatchResult
    {
        /// <summary>Status that the single operation would have returned.</summary>
        public long Status { get; set; }
        /// <summary>What happened, for people.</summary>
        public string Message { get; set; }
        /// <summary>What went wrong; null for an accepted event.</summary>
        public string Code { get; set; }
        /// <summary>Findings, one for each field with a problem.</summary>
        public List<EventBatchResultDetail> Details { get; set; }
        /// <summary>The event came after a leaderboard had closed the period in which it happened: it counts there now, or is ignored; null: it did not. One of: now, ignored.</summary>
        public string Late { get; set; }

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
                Details = Fields.Items(fields, "details", Earshot.EventBatchResultDetail.FromJson),
                Late = Fields.Text(fields, "late"),
            };
        }
    }

    public sealed class EventBatchResultDetail
    {
        /// <summary>Field with the problem, dotted.</summary>
        public string Path { get; set; }
        /// <summary>What happened, for people.</summary>
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

    /// <summary>Answer of `getAvailableEvents`: List the predefined events and their properties.</summary>
    public sealed class EventDescription
    {
        /// <summary>Event of the catalogue.</summary>
        public string EventName { get; set; }
        /// <summary>Properties that an event must have.</summary>
        public List<EventProperty> RequiredProperties { get; set; }
        /// <summary>Properties that an event may have.</summary>
        public List<EventProperty> OptionalProperties { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static EventDescription FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new EventDescription
            {
                EventName = Fields.Text(fields, "event_name"),
                RequiredProperties = Fields.Items(fields, "required_properties", Earshot.EventProperty.FromJson),
                OptionalProperties = Fields.Items(fields, "optional_properties", Earshot.EventProperty.FromJson),
            };
        }
    }

    /// <summary>Body of `sendEvent`: Submit a game event.</summary>
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
        public Dictionary<string, object> Metadata { get; set; }
        /// <summary>When it happened, of an event that is sent later; default, and for a time to come: now.</summary>
        public DateTimeOffset? OccurredAt { get; set; }
        /// <summary>Key of this event in whichever batch it goes; default: the header Idempotency-Key with # and its place.</summary>
        public string IdempotencyKey { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "user_id", UserId);
            Fields.Put(json, "event_name", EventName);
            Fields.Put(json, "event_type", EventType);
            Fields.Put(json, "team_id", TeamId);
            Fields.Put(json, "session_id", SessionId);
            Fields.Put(json, "metadata", Metadata);
            Fields.Put(json, "occurred_at", OccurredAt);
            Fields.Put(json, "idempotency_key", IdempotencyKey);
            return json;
        }
    }

    /// <summary>`required_properties` of `EventDescription`</summary>
    public sealed class EventProperty
    {
        /// <summary>Name of the property.</summary>
        public string PropertyName { get; set; }
        /// <summary>Type of the property. One of: number, string.</summary>
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

    /// <summary>Answer of `listGatherings`: List or search gatherings, newest first.</summary>
    public sealed class GatheringListResponse
    {
        /// <summary>Number of rows in total.</summary>
        public long Total { get; set; }
        /// <summary>Maximum number of rows in this answer.</summary>
        public long Limit { get; set; }
        /// <summary>Rows that were skipped.</summary>
        public long Offset { get; set; }
        /// <summary>Present only if the answer ended at 2 MiB, before its limit: pass this as `offset` to continue.</summary>
        public long? Next { get; set; }
        /// <summary>Present only if there may be more rows: pass this as `after` to continue.</summary>
        public string NextAfter { get; set; }
        /// <summary>Gatherings of this page.</summary>
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
                NextAfter = Fields.Text(fields, "nextAfter"),
                Gatherings = Fields.Items(fields, "gatherings", Earshot.GatheringResponse.FromJson),
            };
        }
    }

    /// <summary>Answer of `addGatheringMember`: Give a participant a seat, whatever the access policy.</summary>
    public sealed class GatheringMember
    {
        /// <summary>Id.</summary>
        public string Id { get; set; }
        /// <summary>Gathering.</summary>
        public string GatheringId { get; set; }
        /// <summary>Participant.</summary>
        public string ParticipantId { get; set; }
        /// <summary>Name that people see.</summary>
        public string DisplayName { get; set; }
        /// <summary>Role. One of: owner, member.</summary>
        public string Role { get; set; }
        /// <summary>invited takes no seat; left is past. One of: invited, joined, ready, left.</summary>
        public string Status { get; set; }
        /// <summary>True once the member is ready.</summary>
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

    /// <summary>Answer of `createGathering`: Create a gathering with a join code of its own.</summary>
    public sealed class GatheringResponse
    {
        /// <summary>Id.</summary>
        public string Id { get; set; }
        /// <summary>Tenant.</summary>
        public string TenantId { get; set; }
        /// <summary>Project.</summary>
        public string ProjectId { get; set; }
        /// <summary>Name.</summary>
        public string Name { get; set; }
        /// <summary>Description; null: none.</summary>
        public string Description { get; set; }
        /// <summary>Type. One of: lobby, appointment, open.</summary>
        public string Type { get; set; }
        /// <summary>State. One of: CREATED, STARTED, ENDED, CANCELLED, EXPIRED.</summary>
        public string Status { get; set; }
        /// <summary>Most members at a time.</summary>
        public long MaxMembers { get; set; }
        /// <summary>Seats taken.</summary>
        public long MemberCount { get; set; }
        /// <summary>Who may join. One of: public, private, invite-only.</summary>
        public string AccessPolicy { get; set; }
        /// <summary>True if lists show it to everybody.</summary>
        public bool Listed { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? StartsAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? EndsAt { get; set; }
        /// <summary>Time zone of the IANA list; null: none.</summary>
        public string Timezone { get; set; }
        /// <summary>Room, by the id that the game uses.</summary>
        public string RoomId { get; set; }
        /// <summary>A voice session starts with the gathering.</summary>
        public bool AutoStartSession { get; set; }
        /// <summary>The session that was started with it.</summary>
        public string SessionId { get; set; }
        /// <summary>8 characters; case and hyphens are ignored.</summary>
        public string JoinCode { get; set; }
        /// <summary>Properties, by name.</summary>
        public Dictionary<string, object> Properties { get; set; }
        /// <summary>Values that searches find the gathering by; null: none.</summary>
        public Dictionary<string, object> SearchProperties { get; set; }
        /// <summary>Participant.</summary>
        public string OwnerId { get; set; }
        /// <summary>Name of the inviter; null: none.</summary>
        public string InviterName { get; set; }
        /// <summary>E-mail address of the inviter; null: none.</summary>
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
                Members = Fields.Items(fields, "members", Earshot.GatheringMember.FromJson),
            };
        }
    }

    /// <summary>Body of `generateProjectToken`: Create a room token, with the token provider of the project.</summary>
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
        /// <summary>The user is under age; kept with the participant.</summary>
        public bool? Minor { get; set; }
        /// <summary>Language that the user speaks; kept with the participant.</summary>
        public string Language { get; set; }
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
            Fields.Put(json, "minor", Minor);
            Fields.Put(json, "language", Language);
            Fields.Put(json, "permissions", Permissions);
            return json;
        }
    }

    /// <summary>Answer of `generateToken`: Create a room token; the project is named in the body.</summary>
    public sealed class GenerateTokenResponse
    {
        /// <summary>Room token.</summary>
        public string Token { get; set; }
        /// <summary>Provider. One of: embedded, livekit, access_key, url.</summary>
        public string Provider { get; set; }
        /// <summary>Where the room is.</summary>
        public string Url { get; set; }
        /// <summary>Where the room is once the daemon at `url` is lost: at one of these; empty with one daemon.</summary>
        public List<string> OtherUrls { get; set; }
        /// <summary>Room, by the id that the game uses.</summary>
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
                OtherUrls = Fields.Items(fields, "otherUrls", Fields.AsText),
                RoomId = Fields.Text(fields, "roomId"),
                ExpiresAt = Fields.TimeOrNull(fields, "expiresAt"),
                E2ee = Fields.Item(fields, "e2ee", Earshot.RoomEncryption.FromJson),
            };
        }
    }

    /// <summary>Answer of `sendGatheringInvitations`: Invite participants, one invitation each; an open one is kept.</summary>
    public sealed class InvitationResponse
    {
        /// <summary>Id.</summary>
        public string Id { get; set; }
        /// <summary>Gathering.</summary>
        public string GatheringId { get; set; }
        /// <summary>Participant.</summary>
        public string ParticipantId { get; set; }
        /// <summary>State. One of: pending, accepted, declined.</summary>
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

    /// <summary>Body of `joinGathering`: Join a gathering by join code; members keep their seats.</summary>
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

    /// <summary>Answer of `joinGathering`: Join a gathering by join code; members keep their seats.</summary>
    public sealed class JoinGatheringResponse
    {
        /// <summary>Always true.</summary>
        public bool Success { get; set; }
        public GatheringResponse Gathering { get; set; }
        public GatheringMember Member { get; set; }
        /// <summary>What went wrong; null: nothing.</summary>
        public object Error { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static JoinGatheringResponse FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new JoinGatheringResponse
            {
                Success = Fields.Bool(fields, "success"),
                Gathering = Fields.Item(fields, "gathering", Earshot.GatheringResponse.FromJson),
                Member = Fields.Item(fields, "member", Earshot.GatheringMember.FromJson),
                Error = Fields.Any(fields, "error"),
            };
        }
    }

    /// <summary>Answer of `getLeaderboards`: List the leaderboards, each with its first members.</summary>
    public sealed class Leaderboard
    {
        /// <summary>Leaderboard.</summary>
        public string LeaderboardId { get; set; }
        /// <summary>Name.</summary>
        public string Name { get; set; }
        /// <summary>Ranking of players.</summary>
        public List<LeaderboardRanking> GroupedByUsers { get; set; }
        /// <summary>Ranking of teams.</summary>
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
                GroupedByUsers = Fields.Items(fields, "grouped_by_users", Earshot.LeaderboardRanking.FromJson),
                GroupedByTeams = Fields.Items(fields, "grouped_by_teams", Earshot.LeaderboardRanking.FromJson),
                NumUsers = Fields.Long(fields, "num_users"),
                NumTeams = Fields.Long(fields, "num_teams"),
            };
        }
    }

    /// <summary>Answer of `getLeaderboardRankings`: Show the rank of a user or a team on every leaderboard.</summary>
    public sealed class LeaderboardMemberRanking
    {
        /// <summary>Leaderboard.</summary>
        public string LeaderboardId { get; set; }
        /// <summary>Name.</summary>
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
                Member = Fields.Item(fields, "member", Earshot.LeaderboardRanking.FromJson),
                Around = Fields.Items(fields, "around", Earshot.LeaderboardRanking.FromJson),
            };
        }
    }

    /// <summary>Answer of `resetLeaderboard`: Begin a new period now; the current ranking is archived.</summary>
    public sealed class LeaderboardPeriod
    {
        /// <summary>Id.</summary>
        public string Id { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset StartsAt { get; set; }
        /// <summary>When the next period begins, or the board ends if that is earlier; null: no reset is due, and no end is set.</summary>
        public DateTimeOffset? EndsAt { get; set; }
        /// <summary>True for the period of today.</summary>
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

    /// <summary>Answer of `listLeaderboardPeriods`: List the periods of a leaderboard, newest first.</summary>
    public sealed class LeaderboardPeriodList
    {
        /// <summary>Number of rows in total.</summary>
        public long Total { get; set; }
        /// <summary>Maximum number of rows in this answer.</summary>
        public long Limit { get; set; }
        /// <summary>Rows that were skipped.</summary>
        public long Offset { get; set; }
        /// <summary>Present only if the answer ended at 2 MiB, before its limit: pass this as `offset` to continue.</summary>
        public long? Next { get; set; }
        /// <summary>Present only if there may be more rows: pass this as `after` to continue.</summary>
        public string NextAfter { get; set; }
        /// <summary>Periods, newest first.</summary>
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
                NextAfter = Fields.Text(fields, "nextAfter"),
                Periods = Fields.Items(fields, "periods", Earshot.LeaderboardPeriod.FromJson),
            };
        }
    }

    /// <summary>`grouped_by_users` of `Leaderboard`</summary>
    public sealed class LeaderboardRanking
    {
        /// <summary>Player or team.</summary>
        public string MemberId { get; set; }
        /// <summary>Whether the entry is a player or a team. One of: user, team.</summary>
        public string MemberType { get; set; }
        /// <summary>Score.</summary>
        public long Score { get; set; }
        /// <summary>From 1; -1: not on the board.</summary>
        public long Rank { get; set; }
        /// <summary>User info of the player; empty for teams.</summary>
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
                AdditionalInfo = Fields.Item(fields, "additional_info", Earshot.LeaderboardRankingAdditionalInfo.FromJson),
            };
        }
    }

    /// <summary>User info of the player; empty for teams</summary>
    public sealed class LeaderboardRankingAdditionalInfo
    {
        /// <summary>Shown in rankings; null: none.</summary>
        public string Username { get; set; }
        /// <summary>Reference to an avatar: a sprite name or an address.</summary>
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

    /// <summary>Answer of `activateBattlePassLevel`: Activate a level, or restart those of its challenges whose time has run out.</summary>
    public sealed class LevelActionResponse
    {
        /// <summary>State.</summary>
        public long Status { get; set; }
        /// <summary>What happened, for people.</summary>
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

    /// <summary>Body of `on-misuse-warned`: Sent to subscriptions to `misuse.warned`.</summary>
    public sealed class Misuse
    {
        /// <summary>The project's own id of the person.</summary>
        public string ExternalUserId { get; set; }
        /// <summary>What the person sent that was manifestly unfounded. One of: reports, appeals.</summary>
        public string Of { get; set; }
        /// <summary>Until when more of them are refused; null: they are taken.</summary>
        public DateTimeOffset? SuspendedUntil { get; set; }
        /// <summary>Language of the text: that of the person, else English.</summary>
        public string Language { get; set; }
        /// <summary>For the person.</summary>
        public string Text { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static Misuse FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new Misuse
            {
                ExternalUserId = Fields.Text(fields, "externalUserId"),
                Of = Fields.Text(fields, "of"),
                SuspendedUntil = Fields.TimeOrNull(fields, "suspendedUntil"),
                Language = Fields.Text(fields, "language"),
                Text = Fields.Text(fields, "text"),
            };
        }
    }

    /// <summary>Body of `moveGatheringMember`: Move a member to a seat in another gathering, whatever its access policy.</summary>
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

    /// <summary>Answer of `getUserChallengesNotificationTopic`: Get the topic on which every challenge of the player is announced.</summary>
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

    /// <summary>Body of `appealMySanction`: Appeal against a sanction as the sanctioned player.</summary>
    public sealed class OwnAppealRequest : IJsonBody
    {
        /// <summary>What the person says.</summary>
        public string Statement { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "statement", Statement);
            return json;
        }
    }

    /// <summary>Answer of `blockAsPlayer`: Block a person: you hear them no more.</summary>
    public sealed class OwnBlock
    {
        /// <summary>Whom they do not hear.</summary>
        public string BlockedUserId { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset CreatedAt { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static OwnBlock FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new OwnBlock
            {
                BlockedUserId = Fields.Text(fields, "blockedUserId"),
                CreatedAt = Fields.Time(fields, "createdAt"),
            };
        }
    }

    /// <summary>Answer of `listOwnBlocks`: List whom you block, newest first.</summary>
    public sealed class OwnBlockListResponse
    {
        /// <summary>Number of rows in total.</summary>
        public long Total { get; set; }
        /// <summary>Maximum number of rows in this answer.</summary>
        public long Limit { get; set; }
        /// <summary>Rows that were skipped.</summary>
        public long Offset { get; set; }
        /// <summary>Present only if the answer ended at 2 MiB, before its limit: pass this as `offset` to continue.</summary>
        public long? Next { get; set; }
        /// <summary>Present only if there may be more rows: pass this as `after` to continue.</summary>
        public string NextAfter { get; set; }
        /// <summary>Blocks of this page.</summary>
        public List<OwnBlock> Blocks { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static OwnBlockListResponse FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new OwnBlockListResponse
            {
                Total = Fields.Long(fields, "total"),
                Limit = Fields.Long(fields, "limit"),
                Offset = Fields.Long(fields, "offset"),
                Next = Fields.LongOrNull(fields, "next"),
                NextAfter = Fields.Text(fields, "nextAfter"),
                Blocks = Fields.Items(fields, "blocks", Earshot.OwnBlock.FromJson),
            };
        }
    }

    /// <summary>Answer of `createParticipant`: Create a participant, or return the one that exists.</summary>
    public sealed class Participant
    {
        /// <summary>Id.</summary>
        public string Id { get; set; }
        /// <summary>Tenant.</summary>
        public string TenantId { get; set; }
        /// <summary>Project.</summary>
        public string ProjectId { get; set; }
        /// <summary>The project's own id of the person.</summary>
        public string ExternalUserId { get; set; }
        /// <summary>Name that people see.</summary>
        public string DisplayName { get; set; }
        /// <summary>Data of the game about the person.</summary>
        public Dictionary<string, object> UserData { get; set; }
        /// <summary>Language of texts for this person, and of their speech; null: unknown.</summary>
        public string Language { get; set; }
        /// <summary>Under age, as the game says; null: unknown.</summary>
        public bool? Minor { get; set; }
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
                Language = Fields.Text(fields, "language"),
                Minor = Fields.BoolOrNull(fields, "minor"),
                JoinedAt = Fields.Time(fields, "joinedAt"),
                UpdatedAt = Fields.Time(fields, "updatedAt"),
            };
        }
    }

    /// <summary>Answer of `readStandingNotices`: Show the messages of the team to the person whose code somebody has, newest first.</summary>
    public sealed class PersonNotice
    {
        /// <summary>Id.</summary>
        public string Id { get; set; }
        /// <summary>Text.</summary>
        public string Text { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset CreatedAt { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static PersonNotice FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new PersonNotice
            {
                Id = Fields.Text(fields, "id"),
                Text = Fields.Text(fields, "text"),
                CreatedAt = Fields.Time(fields, "createdAt"),
            };
        }
    }

    /// <summary>Answer of `getBattlePasses`: List the battle passes of the app, by priority.</summary>
    public sealed class PersonalBattlePass
    {
        /// <summary>Battle pass.</summary>
        public string BattlePassId { get; set; }
        /// <summary>Project.</summary>
        public string AppId { get; set; }
        /// <summary>Order in lists; higher comes first.</summary>
        public long BattlePassPriority { get; set; }
        /// <summary>Start; null: none.</summary>
        public DateTimeOffset? StartDate { get; set; }
        /// <summary>End; null: none.</summary>
        public DateTimeOffset? EndDate { get; set; }
        /// <summary>True while it is running, by its dates.</summary>
        public bool IsActive { get; set; }
        /// <summary>Name in the language of the request.</summary>
        public string BattlePassName { get; set; }
        /// <summary>Description in the language of the request.</summary>
        public string BattlePassDescription { get; set; }
        /// <summary>Short description in the language of the request.</summary>
        public string BattlePassShortDescription { get; set; }
        /// <summary>Disclaimer in the language of the request.</summary>
        public string BattlePassDisclaimer { get; set; }
        /// <summary>SKU for iOS; null: none.</summary>
        public string PackageSkuIos { get; set; }
        /// <summary>SKU for Android; null: none.</summary>
        public string PackageSkuAndroid { get; set; }
        /// <summary>Smallest image; null: none.</summary>
        public string ImageXs { get; set; }
        /// <summary>Small image; null: none.</summary>
        public string ImageS { get; set; }
        /// <summary>Medium image; null: none.</summary>
        public string ImageM { get; set; }
        /// <summary>Large image; null: none.</summary>
        public string ImageL { get; set; }
        /// <summary>Largest image; null: none.</summary>
        public string ImageXl { get; set; }
        /// <summary>Address with more about it; null: none.</summary>
        public string ReadMoreLink { get; set; }
        /// <summary>Levels open one after another.</summary>
        public bool IsUnlockedIncrementally { get; set; }
        /// <summary>When the player unlocked it; null: not yet.</summary>
        public DateTimeOffset? UnlockedAt { get; set; }
        /// <summary>The game may sell it for money.</summary>
        public bool CanPurchaseWithMoney { get; set; }
        /// <summary>The game may sell it for coins.</summary>
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

    /// <summary>Answer of `getAllBattlePassLevels`: List the levels of every battle pass, with the player's progress.</summary>
    public sealed class PersonalBattlePassLevel
    {
        /// <summary>Level of a battle pass.</summary>
        public string LevelId { get; set; }
        /// <summary>Project.</summary>
        public string AppId { get; set; }
        /// <summary>Battle pass.</summary>
        public string BattlePassId { get; set; }
        /// <summary>Amount of the reward; null: none.</summary>
        public string RewardAmount { get; set; }
        /// <summary>Kind of reward, for people.</summary>
        public string RewardTypeName { get; set; }
        /// <summary>Kind of reward.</summary>
        public string LevelRewardType { get; set; }
        /// <summary>True once every challenge of the level is finished.</summary>
        public bool LevelCompleted { get; set; }
        /// <summary>Place in the pass, from 1.</summary>
        public long LevelPriority { get; set; }
        /// <summary>True if nothing is left to claim on the player's tracks.</summary>
        public bool RewardClaimed { get; set; }
        /// <summary>null: not activated.</summary>
        public DateTimeOffset? ActivatedAt { get; set; }
        /// <summary>Challenges.</summary>
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
                Challenges = Fields.Items(fields, "challenges", Earshot.PersonalLevelChallenge.FromJson),
            };
        }
    }

    /// <summary>Answer of `getPersonalChallengeById`: Show a challenge of the player.</summary>
    public sealed class PersonalChallenge
    {
        /// <summary>Challenge.</summary>
        public string ChallengeId { get; set; }
        /// <summary>Minutes; null: no limit.</summary>
        public long? ChallengeDurationTime { get; set; }
        /// <summary>From when it is shown; null: always.</summary>
        public DateTimeOffset? LiveDate { get; set; }
        /// <summary>Count that the player has to reach, or to stay below.</summary>
        public long ChallengeGoal { get; set; }
        /// <summary>Counter.</summary>
        public long UserChallengeCurrentScore { get; set; }
        /// <summary>Icon, as the game names it.</summary>
        public string ChallengeIcon { get; set; }
        /// <summary>Large icon, as the game names it.</summary>
        public string ChallengeIconHd { get; set; }
        /// <summary>Price to unlock the challenge, in units of the game.</summary>
        public long? ChallengePrice { get; set; }
        /// <summary>Reward, as the game names it.</summary>
        public string ChallengeReward { get; set; }
        /// <summary>Kind of reward.</summary>
        public string ChallengeRewardType { get; set; }
        /// <summary>0: reach the goal; 1: stay below it. One of: 0, 1.</summary>
        public long ChallengeGoalCondition { get; set; }
        /// <summary>Experience points for the challenge.</summary>
        public long? ChallengeXp { get; set; }
        /// <summary>The challenge can be unlocked again after it is finished.</summary>
        public bool Repeatable { get; set; }
        /// <summary>State. One of: unlock, unlocked, in-progress, unclaimed, finished, lost.</summary>
        public string Type { get; set; }
        /// <summary>The challenge starts by itself.</summary>
        public bool ChallengeAutoActivated { get; set; }
        /// <summary>True if the reward was claimed.</summary>
        public bool IsClaimed { get; set; }
        /// <summary>When the challenge was unlocked; null: it is not.</summary>
        public DateTimeOffset? UserChallengeUnlockedAt { get; set; }
        /// <summary>When the challenge started; null: it has not.</summary>
        public DateTimeOffset? UserChallengeActivatedAt { get; set; }
        /// <summary>True if the reward was claimed.</summary>
        public bool UserChallengeIsClaimed { get; set; }
        /// <summary>The state as a number, in the order of its values.</summary>
        public long UserChallengeStatus { get; set; }
        /// <summary>Name in the language of the request.</summary>
        public string ChallengeName { get; set; }
        /// <summary>Description in the language of the request.</summary>
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

    /// <summary>Answer of `getPersonalChallenges`: List the challenges that the player has not finished, by category.</summary>
    public sealed class PersonalChallengeCategory
    {
        /// <summary>True for a category of daily challenges.</summary>
        public bool IsDailyCategory { get; set; }
        /// <summary>Place of the category in lists.</summary>
        public long CategoryPosition { get; set; }
        /// <summary>Category, by slug.</summary>
        public string CategorySlug { get; set; }
        /// <summary>Name of the category in the language of the request.</summary>
        public string CategoryName { get; set; }
        /// <summary>Category.</summary>
        public string CategoryId { get; set; }
        /// <summary>Challenges.</summary>
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
                Challenges = Fields.Items(fields, "challenges", Earshot.PersonalChallenge.FromJson),
            };
        }
    }

    /// <summary>`challenges` of `PersonalBattlePassLevel`</summary>
    public sealed class PersonalLevelChallenge
    {
        /// <summary>Challenge.</summary>
        public string ChallengeId { get; set; }
        /// <summary>Name in the language of the request.</summary>
        public string ChallengeName { get; set; }
        /// <summary>Description in the language of the request.</summary>
        public string ChallengeDescription { get; set; }
        /// <summary>Count that the player has to reach, or to stay below.</summary>
        public long ChallengeGoal { get; set; }
        /// <summary>0: reach the goal; 1: stay below it. One of: 0, 1.</summary>
        public long ChallengeGoalCondition { get; set; }
        /// <summary>Minutes; null: no limit.</summary>
        public long? ChallengeDurationTime { get; set; }
        /// <summary>Counter.</summary>
        public long UserChallengeCurrentScore { get; set; }
        /// <summary>When the challenge started; null: it has not.</summary>
        public DateTimeOffset? UserChallengeActivatedAt { get; set; }
        /// <summary>Experience points for the challenge.</summary>
        public long? ChallengeXp { get; set; }
        /// <summary>Icon, as the game names it.</summary>
        public string ChallengeIcon { get; set; }
        /// <summary>Large icon, as the game names it.</summary>
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

    /// <summary>Answer of `getPlayer`: Show the challenges, battle passes, leaderboards and sanctions of a player.</summary>
    public sealed class Player
    {
        /// <summary>Player.</summary>
        public string UserId { get; set; }
        public UserInfo Info { get; set; }
        /// <summary>Challenges.</summary>
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
                Info = Fields.Item(fields, "info", Earshot.UserInfo.FromJson),
                Challenges = Fields.Items(fields, "challenges", Earshot.PlayerChallenge.FromJson),
                BattlePasses = Fields.Items(fields, "battlePasses", Earshot.PlayerBattlePass.FromJson),
                Leaderboards = Fields.Items(fields, "leaderboards", Earshot.PlayerRank.FromJson),
                Sanctions = Fields.Items(fields, "sanctions", Earshot.SanctionResponse.FromJson),
                Cut = Fields.Items(fields, "cut", Fields.AsText),
            };
        }
    }

    /// <summary>Answer of `unlockPlayerBattlePass`: Unlock a battle pass for a player.</summary>
    public sealed class PlayerBattlePass
    {
        /// <summary>Battle pass.</summary>
        public string BattlePassId { get; set; }
        public Dictionary<string, string> Name { get; set; }
        /// <summary>Player.</summary>
        public string UserId { get; set; }
        /// <summary>Purchase.</summary>
        public string PurchaseId { get; set; }
        /// <summary>Price that was paid; null: unknown.</summary>
        public double? PurchasePrice { get; set; }
        /// <summary>Currency of the purchase; null: unknown.</summary>
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
                Levels = Fields.Items(fields, "levels", Earshot.PlayerBattlePassLevel.FromJson),
            };
        }
    }

    /// <summary>Answer of `activatePlayerBattlePassLevel`: Activate a level for a player, or restart it when its time has run out.</summary>
    public sealed class PlayerBattlePassLevel
    {
        /// <summary>Level of a battle pass.</summary>
        public string LevelId { get; set; }
        /// <summary>Battle pass.</summary>
        public string BattlePassId { get; set; }
        /// <summary>Place in lists.</summary>
        public long Position { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? ActivatedAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? CompletedAt { get; set; }
        /// <summary>When the reward of the free track was claimed.</summary>
        public DateTimeOffset? ClaimedAt { get; set; }
        /// <summary>When the reward of the premium track was claimed.</summary>
        public DateTimeOffset? PremiumClaimedAt { get; set; }
        /// <summary>Challenges.</summary>
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
                Challenges = Fields.Items(fields, "challenges", Earshot.PlayerBattlePassLevelChallenge.FromJson),
            };
        }
    }

    public sealed class PlayerBattlePassLevelChallenge
    {
        /// <summary>Challenge.</summary>
        public string ChallengeId { get; set; }
        public Dictionary<string, string> Name { get; set; }
        /// <summary>State. One of: unlock, in-progress, overtime, finished.</summary>
        public string State { get; set; }
        /// <summary>Count so far.</summary>
        public long Counter { get; set; }
        /// <summary>Count that the player has to reach, or to stay below.</summary>
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

    /// <summary>Answer of `unlockPlayerChallenge`: Unlock a challenge for a player.</summary>
    public sealed class PlayerChallenge
    {
        /// <summary>Challenge.</summary>
        public string ChallengeId { get; set; }
        public Dictionary<string, string> Name { get; set; }
        /// <summary>Player.</summary>
        public string UserId { get; set; }
        /// <summary>State. One of: unlock, unlocked, in-progress, unclaimed, finished.</summary>
        public string State { get; set; }
        /// <summary>Count so far.</summary>
        public long Counter { get; set; }
        /// <summary>Count that the player has to reach, or to stay below.</summary>
        public long Goal { get; set; }
        /// <summary>0: reach the goal; 1: stay below it until the time is over. One of: 0, 1.</summary>
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

    /// <summary>`leaderboards` of `Player`</summary>
    public sealed class PlayerRank
    {
        /// <summary>Leaderboard.</summary>
        public string LeaderboardId { get; set; }
        public Dictionary<string, string> Name { get; set; }
        /// <summary>From 1.</summary>
        public long Rank { get; set; }
        /// <summary>Score.</summary>
        public long Score { get; set; }
        /// <summary>Users on the board.</summary>
        public long Members { get; set; }
        /// <summary>Next reset, or the end of the board if that is earlier; null: none.</summary>
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

    /// <summary>Body of `reportAsPlayer`: Report a person or a room.</summary>
    public sealed class PlayerReportRequest : IJsonBody
    {
        /// <summary>Room where it happened.</summary>
        public string RoomId { get; set; }
        /// <summary>Person who is reported.</summary>
        public string ExternalUserId { get; set; }
        /// <summary>Category of the report, one of the project.</summary>
        public string Category { get; set; }
        /// <summary>What the reporter says.</summary>
        public string Words { get; set; }
        /// <summary>Language of the reporter (BCP 47); receipts are in it where it is known.</summary>
        public string Language { get; set; }
        /// <summary>What the report is based on.</summary>
        public ReportEvidence Evidence { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "roomId", RoomId);
            Fields.Put(json, "externalUserId", ExternalUserId);
            Fields.Put(json, "category", Category);
            Fields.Put(json, "words", Words);
            Fields.Put(json, "language", Language);
            Fields.Put(json, "evidence", Evidence);
            return json;
        }
    }

    /// <summary>`complaint` of `ReportReceipt`</summary>
    public sealed class ReceiptComplaint
    {
        /// <summary>over: it was not made in time, or nobody is left whom the report is about. One of: possible, waiting, decided, over.</summary>
        public string State { get; set; }
        /// <summary>Last moment for a complaint.</summary>
        public DateTimeOffset Until { get; set; }
        /// <summary>What the reporter says.</summary>
        public string Statement { get; set; }
        /// <summary>Decision about an appeal; null: none. One of: upheld, overturned.</summary>
        public string Decision { get; set; }
        /// <summary>Why it was decided so.</summary>
        public string Answer { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? DecidedAt { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static ReceiptComplaint FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new ReceiptComplaint
            {
                State = Fields.Text(fields, "state"),
                Until = Fields.Time(fields, "until"),
                Statement = Fields.Text(fields, "statement"),
                Decision = Fields.Text(fields, "decision"),
                Answer = Fields.Text(fields, "answer"),
                DecidedAt = Fields.TimeOrNull(fields, "decidedAt"),
            };
        }
    }

    /// <summary>Answer of `listOwnReports`: List your own reports with what came of them, newest first.</summary>
    public sealed class ReceiptListResponse
    {
        /// <summary>Number of rows in total.</summary>
        public long Total { get; set; }
        /// <summary>Maximum number of rows in this answer.</summary>
        public long Limit { get; set; }
        /// <summary>Rows that were skipped.</summary>
        public long Offset { get; set; }
        /// <summary>Present only if the answer ended at 2 MiB, before its limit: pass this as `offset` to continue.</summary>
        public long? Next { get; set; }
        /// <summary>Present only if there may be more rows: pass this as `after` to continue.</summary>
        public string NextAfter { get; set; }
        /// <summary>Reports of this page.</summary>
        public List<ReportReceipt> Reports { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static ReceiptListResponse FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new ReceiptListResponse
            {
                Total = Fields.Long(fields, "total"),
                Limit = Fields.Long(fields, "limit"),
                Offset = Fields.Long(fields, "offset"),
                Next = Fields.LongOrNull(fields, "next"),
                NextAfter = Fields.Text(fields, "nextAfter"),
                Reports = Fields.Items(fields, "reports", Earshot.ReportReceipt.FromJson),
            };
        }
    }

    /// <summary>`evidence` of `CreateReportRequest`</summary>
    public sealed class ReportEvidence : IJsonBody
    {
        /// <summary>Messages of the transcript; those that are gone are left out.</summary>
        public List<string> MessageIds { get; set; }
        /// <summary>What was said in the room in this time before now.</summary>
        public long? LastSeconds { get; set; }

        /// <summary>Returns the fields that are set.</summary>
        public Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            Fields.Put(json, "messageIds", MessageIds);
            Fields.Put(json, "lastSeconds", LastSeconds);
            return json;
        }
    }

    /// <summary>Answer of `getReportReceipt`: Show what the reporter is told, with the address of the reporter's page.</summary>
    public sealed class ReportReceipt
    {
        /// <summary>Id.</summary>
        public string Id { get; set; }
        /// <summary>Category, one of the project.</summary>
        public string Category { get; set; }
        /// <summary>Person who was reported.</summary>
        public string ExternalUserId { get; set; }
        /// <summary>Room, by the id that the game uses.</summary>
        public string RoomId { get; set; }
        /// <summary>State. One of: open, decided.</summary>
        public string Status { get; set; }
        /// <summary>Receipt or outcome in the reporter's language; reveals nothing about others.</summary>
        public string Message { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset CreatedAt { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? DecidedAt { get; set; }
        /// <summary>Name of the game: of the settings of the project, else of the project.</summary>
        public string Game { get; set; }
        /// <summary>Who runs it, and how to reach them: of the settings of the project.</summary>
        public string Operator { get; set; }
        /// <summary>null: the report is undecided, and nobody has complained.</summary>
        public ReceiptComplaint Complaint { get; set; }
        /// <summary>Language of the message.</summary>
        public string Language { get; set; }
        /// <summary>The reporter's page, which needs no account. Whoever has the address can read it and complain, so it is null for those who may not report for others, and in answers that are kept for repeats.</summary>
        public string Url { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static ReportReceipt FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new ReportReceipt
            {
                Id = Fields.Text(fields, "id"),
                Category = Fields.Text(fields, "category"),
                ExternalUserId = Fields.Text(fields, "externalUserId"),
                RoomId = Fields.Text(fields, "roomId"),
                Status = Fields.Text(fields, "status"),
                Message = Fields.Text(fields, "message"),
                CreatedAt = Fields.Time(fields, "createdAt"),
                DecidedAt = Fields.TimeOrNull(fields, "decidedAt"),
                Game = Fields.Text(fields, "game"),
                Operator = Fields.Text(fields, "operator"),
                Complaint = Fields.Item(fields, "complaint", Earshot.ReceiptComplaint.FromJson),
                Language = Fields.Text(fields, "language"),
                Url = Fields.Text(fields, "url"),
            };
        }
    }

    /// <summary>`e2ee` of `GenerateTokenResponse`</summary>
    public sealed class RoomEncryption
    {
        /// <summary>Mode. One of: manual, disabled, automatic.</summary>
        public string Mode { get; set; }
        /// <summary>Password (manual) or key (automatic) of the room.</summary>
        public string Key { get; set; }
        /// <summary>Index of the key in use; null: not encrypted.</summary>
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

    /// <summary>`permissions` of `GenerateProjectTokenRequest`</summary>
    public sealed class RoomPermissions : IJsonBody
    {
        /// <summary>The token allows to speak.</summary>
        public bool? Publish { get; set; }
        /// <summary>The token allows to listen.</summary>
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

    /// <summary>Body of `on-sanction-created`: Sent to subscriptions to `sanction.created`.</summary>
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

    /// <summary>Body of `on-sanction-created`: Sent to subscriptions to `sanction.created`.</summary>
    public sealed class SanctionGround
    {
        /// <summary>Kind. One of: law, terms.</summary>
        public string Kind { get; set; }
        /// <summary>The law, or the section of the terms of use.</summary>
        public string Reference { get; set; }
        /// <summary>Why it is against that.</summary>
        public string Explanation { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static SanctionGround FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new SanctionGround
            {
                Kind = Fields.Text(fields, "kind"),
                Reference = Fields.Text(fields, "reference"),
                Explanation = Fields.Text(fields, "explanation"),
            };
        }
    }

    /// <summary>Body of `on-sanction-created`: Sent to subscriptions to `sanction.created`.</summary>
    public sealed class SanctionParameters
    {
        /// <summary>rate_limit; default: 20.</summary>
        public long? SpeakingSecondsPerMinute { get; set; }
        /// <summary>party_restriction; default: 1.</summary>
        public long? MaxGatheringSize { get; set; }
        /// <summary>queue_delay; default: 30.</summary>
        public long? DelaySeconds { get; set; }
        /// <summary>ranked_restriction: game events count in no challenge or battle pass until it is revoked; default: no.</summary>
        public bool? HoldsProgress { get; set; }

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
                HoldsProgress = Fields.BoolOrNull(fields, "holdsProgress"),
            };
        }
    }

    /// <summary>Answer of `createSanction`: Issue a sanction against a participant or a user.</summary>
    public sealed class SanctionResponse
    {
        /// <summary>Id.</summary>
        public string Id { get; set; }
        /// <summary>Tenant.</summary>
        public string TenantId { get; set; }
        /// <summary>Project.</summary>
        public string ProjectId { get; set; }
        /// <summary>Participant.</summary>
        public string ParticipantId { get; set; }
        /// <summary>The project's own id of the person.</summary>
        public string ExternalUserId { get; set; }
        /// <summary>The sanction applies in this session only.</summary>
        public string SessionId { get; set; }
        /// <summary>Type. One of: warn, mute, listen_only, text_only, text_mute, rate_limit, shadow_mute, temp_ban, perm_ban, ranked_restriction, queue_delay, party_restriction, human_review.</summary>
        public string Type { get; set; }
        /// <summary>As sent: text or an object.</summary>
        public object Scope { get; set; }
        /// <summary>For the project's own use; null: none.</summary>
        public Dictionary<string, object> Metadata { get; set; }
        /// <summary>Parameters of the kind of sanction; null: none.</summary>
        public SanctionParameters Parameters { get; set; }
        /// <summary>What the sanction is based on; null: nothing kept.</summary>
        public SanctionEvidence Evidence { get; set; }
        /// <summary>Who brought it up. One of: own_initiative, report, trusted_flagger, order.</summary>
        public string Source { get; set; }
        /// <summary>Who found what it is about: a person, or a program, such as a rule. One of: person, program.</summary>
        public string FoundBy { get; set; }
        /// <summary>Who decided; both: a program proposed it, and a person confirmed it. One of: person, program, both.</summary>
        public string DecidedBy { get; set; }
        /// <summary>The case in which it was decided.</summary>
        public string CaseId { get; set; }
        /// <summary>Category of that case.</summary>
        public string Category { get; set; }
        /// <summary>The law or the terms that it is against.</summary>
        public SanctionGround Ground { get; set; }
        /// <summary>Template that it was imposed with.</summary>
        public string Template { get; set; }
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
        /// <summary>Account that revoked it; null: nobody, or a program.</summary>
        public string RevokedByUserId { get; set; }
        /// <summary>Why it was revoked; null: no reason given.</summary>
        public string RevokeReason { get; set; }
        /// <summary>The batch that issued it.</summary>
        public string BatchId { get; set; }
        /// <summary>In force at this moment.</summary>
        public bool IsActive { get; set; }
        /// <summary>State. One of: active, expired, revoked.</summary>
        public string Status { get; set; }
        /// <summary>The person; null: erased.</summary>
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
                Parameters = Fields.Item(fields, "parameters", Earshot.SanctionParameters.FromJson),
                Evidence = Fields.Item(fields, "evidence", Earshot.SanctionEvidence.FromJson),
                Source = Fields.Text(fields, "source"),
                FoundBy = Fields.Text(fields, "foundBy"),
                DecidedBy = Fields.Text(fields, "decidedBy"),
                CaseId = Fields.Text(fields, "caseId"),
                Category = Fields.Text(fields, "category"),
                Ground = Fields.Item(fields, "ground", Earshot.SanctionGround.FromJson),
                Template = Fields.Text(fields, "template"),
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
                Participant = Fields.Item(fields, "participant", Earshot.Participant.FromJson),
            };
        }
    }

    /// <summary>Body of `sendGatheringInvitations`: Invite participants, one invitation each; an open one is kept.</summary>
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

    /// <summary>Answer of `getMyStanding`: Show the player what holds against them, why, and until when.</summary>
    public sealed class Standing
    {
        /// <summary>The project's own id of the person.</summary>
        public string ExternalUserId { get; set; }
        /// <summary>Sanctions in force, ended ones that can be appealed, and appealed ones, from the newest on, up to 50. Where there are more, waiting appeals go before sanctions in force, and these before the rest.</summary>
        public List<StatementOfReasons> Statements { get; set; }
        /// <summary>Warnings and suspensions for reports or appeals that were manifestly unfounded.</summary>
        public List<Misuse> Misuse { get; set; }
        /// <summary>Messages of the team to this person, newest first.</summary>
        public List<PersonNotice> Notices { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static Standing FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new Standing
            {
                ExternalUserId = Fields.Text(fields, "externalUserId"),
                Statements = Fields.Items(fields, "statements", Earshot.StatementOfReasons.FromJson),
                Misuse = Fields.Items(fields, "misuse", Earshot.Misuse.FromJson),
                Notices = Fields.Items(fields, "notices", Earshot.PersonNotice.FromJson),
            };
        }
    }

    /// <summary>Body of `startGathering`: Start a gathering; one that has started stays as it is.</summary>
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

    /// <summary>`appeal` of `StatementOfReasons`</summary>
    public sealed class StatementAppeal
    {
        /// <summary>over: it was not appealed in time, or the sanction was revoked. One of: possible, waiting, decided, over.</summary>
        public string State { get; set; }
        /// <summary>Last moment for an appeal; null: as long as the sanction is in force.</summary>
        public DateTimeOffset? Until { get; set; }
        /// <summary>What the person said.</summary>
        public string Statement { get; set; }
        /// <summary>Decision about an appeal; null: none. One of: upheld, overturned.</summary>
        public string Decision { get; set; }
        /// <summary>Why it was decided so.</summary>
        public string Answer { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? DecidedAt { get; set; }
        /// <summary>An appeal that the team or the game made in the person's name; the person can appeal all the same.</summary>
        public StatementAppealInName InName { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static StatementAppeal FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new StatementAppeal
            {
                State = Fields.Text(fields, "state"),
                Until = Fields.TimeOrNull(fields, "until"),
                Statement = Fields.Text(fields, "statement"),
                Decision = Fields.Text(fields, "decision"),
                Answer = Fields.Text(fields, "answer"),
                DecidedAt = Fields.TimeOrNull(fields, "decidedAt"),
                InName = Fields.Item(fields, "inName", Earshot.StatementAppealInName.FromJson),
            };
        }
    }

    /// <summary>An appeal that the team or the game made in the person's name; the person can appeal all the same</summary>
    public sealed class StatementAppealInName
    {
        /// <summary>What they said.</summary>
        public string Statement { get; set; }
        /// <summary>Decision about an appeal; null: none. One of: upheld, overturned.</summary>
        public string Decision { get; set; }
        /// <summary>Why it was decided so.</summary>
        public string Answer { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset? DecidedAt { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static StatementAppealInName FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new StatementAppealInName
            {
                Statement = Fields.Text(fields, "statement"),
                Decision = Fields.Text(fields, "decision"),
                Answer = Fields.Text(fields, "answer"),
                DecidedAt = Fields.TimeOrNull(fields, "decidedAt"),
            };
        }
    }

    /// <summary>Answer of `getStatement`: Show what the sanctioned person is told: the statement of reasons.</summary>
    public sealed class StatementOfReasons
    {
        /// <summary>Sanction; null: none was created.</summary>
        public string SanctionId { get; set; }
        /// <summary>Name of the game: of the settings of the project, else of the project.</summary>
        public string Game { get; set; }
        /// <summary>Who runs it, and how to reach them: of the settings of the project.</summary>
        public string Operator { get; set; }
        /// <summary>Type. One of: warn, mute, listen_only, text_only, text_mute, rate_limit, shadow_mute, temp_ban, perm_ban, ranked_restriction, queue_delay, party_restriction, human_review.</summary>
        public string Type { get; set; }
        /// <summary>It applies in one session, not in the whole project.</summary>
        public bool SessionOnly { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset StartAt { get; set; }
        /// <summary>null: until revoked.</summary>
        public DateTimeOffset? EndAt { get; set; }
        /// <summary>State. One of: active, expired, revoked.</summary>
        public string Status { get; set; }
        /// <summary>RFC 3339 time.</summary>
        public DateTimeOffset IssuedAt { get; set; }
        /// <summary>Facts and circumstances: the reason, in this language where it is known.</summary>
        public string Facts { get; set; }
        /// <summary>Service that the event comes from. One of: own_initiative, report, trusted_flagger, order.</summary>
        public string Source { get; set; }
        /// <summary>Who found what it is about. One of: person, program.</summary>
        public string FoundBy { get; set; }
        /// <summary>Who decided; both: a program proposed it, and a person confirmed it. One of: person, program, both.</summary>
        public string DecidedBy { get; set; }
        /// <summary>A program found it: `foundBy`.</summary>
        public bool AutomatedDetection { get; set; }
        /// <summary>No person took part in the decision: `decidedBy` is program.</summary>
        public bool AutomatedDecision { get; set; }
        /// <summary>The law or the terms that it is against; null: none is stated.</summary>
        public SanctionGround Ground { get; set; }
        public StatementAppeal Appeal { get; set; }
        /// <summary>Language of title and text.</summary>
        public string Language { get; set; }
        /// <summary>Title.</summary>
        public string Title { get; set; }
        /// <summary>All of it for the person, one paragraph a line.</summary>
        public string Text { get; set; }
        /// <summary>The person's page, which needs no account. Whoever has the address can read it and appeal, so it is null for those who may not impose sanctions, and in answers that are kept for repeats.</summary>
        public string Url { get; set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static StatementOfReasons FromJson(object json)
        {
            var fields = Fields.Of(json);
            if (fields == null) return null;
            return new StatementOfReasons
            {
                SanctionId = Fields.Text(fields, "sanctionId"),
                Game = Fields.Text(fields, "game"),
                Operator = Fields.Text(fields, "operator"),
                Type = Fields.Text(fields, "type"),
                SessionOnly = Fields.Bool(fields, "sessionOnly"),
                StartAt = Fields.Time(fields, "startAt"),
                EndAt = Fields.TimeOrNull(fields, "endAt"),
                Status = Fields.Text(fields, "status"),
                IssuedAt = Fields.Time(fields, "issuedAt"),
                Facts = Fields.Text(fields, "facts"),
                Source = Fields.Text(fields, "source"),
                FoundBy = Fields.Text(fields, "foundBy"),
                DecidedBy = Fields.Text(fields, "decidedBy"),
                AutomatedDetection = Fields.Bool(fields, "automatedDetection"),
                AutomatedDecision = Fields.Bool(fields, "automatedDecision"),
                Ground = Fields.Item(fields, "ground", Earshot.SanctionGround.FromJson),
                Appeal = Fields.Item(fields, "appeal", Earshot.StatementAppeal.FromJson),
                Language = Fields.Text(fields, "language"),
                Title = Fields.Text(fields, "title"),
                Text = Fields.Text(fields, "text"),
                Url = Fields.Text(fields, "url"),
            };
        }
    }

    /// <summary>Part of `EventStreamData`</summary>
    public sealed class StreamClosed
    {
        /// <summary>Reason; null: none given. One of: access_gone, slow_consumer, shutting_down.</summary>
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

    /// <summary>Part of `EventStreamData`</summary>
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

    /// <summary>Body of `updateGathering`: Change the given fields of a gathering that is not over.</summary>
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

    /// <summary>Body of `updateGatheringMember`: Set the ready mark, the status or the role of a member.</summary>
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

    /// <summary>Answer of `getUserInfo`: Show the display name and avatar of the player.</summary>
    public sealed class UserInfo
    {
        /// <summary>Shown in rankings; null: none.</summary>
        public string Username { get; set; }
        /// <summary>Reference to an avatar: a sprite name or an address.</summary>
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

    /// <summary>Body of `setUserInfo`: Set the display name and avatar of the player.</summary>
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
