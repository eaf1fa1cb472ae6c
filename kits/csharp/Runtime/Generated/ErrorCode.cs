// Written by `npm run kits:csharp` from src/contract. Do not edit.
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Earshot
{
    /// <summary>What `ApiException.Code` may be for the operations of this kit. A later daemon may have more.</summary>
    public static class ErrorCode
    {
        /// <summary>This was already done, or is not possible yet.</summary>
        public const string ActionNotPossible = "action_not_possible";
        /// <summary>The sanction has ended, and the six months in which it can be appealed are over.</summary>
        public const string AppealTooLate = "appeal_too_late";
        /// <summary>Appeals of this person are suspended, because several were manifestly unfounded. See `details` for the end.</summary>
        public const string AppealsSuspended = "appeals_suspended";
        /// <summary>There is no such level of a battle pass.</summary>
        public const string BattlePassLevelNotFound = "battle_pass_level_not_found";
        /// <summary>There is no such battle pass.</summary>
        public const string BattlePassNotFound = "battle_pass_not_found";
        /// <summary>The person blocks as many people as anybody may. Unblock some first.</summary>
        public const string BlockLimitReached = "block_limit_reached";
        /// <summary>Nobody can block themselves. Name somebody else.</summary>
        public const string BlockSelf = "block_self";
        /// <summary>The body is larger than this operation accepts. Send less at a time.</summary>
        public const string BodyTooLarge = "body_too_large";
        /// <summary>There is no such challenge.</summary>
        public const string ChallengeNotFound = "challenge_not_found";
        /// <summary>The six months in which you can complain about the decision are over, or nobody is left whom the report is about.</summary>
        public const string ComplaintTooLate = "complaint_too_late";
        /// <summary>Another challenge in progress counts this event in a different way. Finish or cancel it first.</summary>
        public const string CountingConflict = "counting_conflict";
        /// <summary>The credential is not valid, has expired or was revoked. Log in again or use another key.</summary>
        public const string CredentialInvalid = "credential_invalid";
        /// <summary>This operation does not accept this kind of credential. Its documentation names those it accepts.</summary>
        public const string CredentialKind = "credential_kind";
        /// <summary>Send an API key (X-API-Key) or a user token (Authorization: Bearer).</summary>
        public const string CredentialMissing = "credential_missing";
        /// <summary>The database does not answer, is too busy, or is out of space. Try again in a moment; the daemon's log says why.</summary>
        public const string DatabaseUnavailable = "database_unavailable";
        /// <summary>This external user id is reserved for the bot or for observers in rooms. Use another one.</summary>
        public const string ExternalUserIdReserved = "external_user_id_reserved";
        /// <summary>The gathering is over. Create a new one.</summary>
        public const string GatheringClosed = "gathering_closed";
        /// <summary>The gathering has no free seat. Try again after somebody has left.</summary>
        public const string GatheringFull = "gathering_full";
        /// <summary>Only invited people can join this gathering. Ask its owner for an invitation.</summary>
        public const string GatheringInviteOnly = "gathering_invite_only";
        /// <summary>There is no such gathering.</summary>
        public const string GatheringNotFound = "gathering_not_found";
        /// <summary>The end must lie after the start.</summary>
        public const string GatheringTimeInvalid = "gathering_time_invalid";
        /// <summary>The gathering has more members than that. Choose a larger maxMembers, or remove members first.</summary>
        public const string GatheringTooSmall = "gathering_too_small";
        /// <summary>The request with this Idempotency-Key was carried out, and data in its answer was erased since. Use a new key to send it again.</summary>
        public const string IdempotencyAnswerErased = "idempotency_answer_erased";
        /// <summary>A request with this Idempotency-Key is still running. Ask again shortly.</summary>
        public const string IdempotencyInProgress = "idempotency_in_progress";
        /// <summary>This operation takes no Idempotency-Key: its answer holds a secret, which is not stored for a repeat, or it changes nothing. Send the request without the header.</summary>
        public const string IdempotencyKeyRefused = "idempotency_key_refused";
        /// <summary>This Idempotency-Key was used for another request. Use a new key.</summary>
        public const string IdempotencyMismatch = "idempotency_mismatch";
        /// <summary>Your role does not allow this operation. Ask an administrator of the project.</summary>
        public const string InsufficientRole = "insufficient_role";
        /// <summary>The API key lacks the scope of this operation. Create a key that has it.</summary>
        public const string InsufficientScope = "insufficient_scope";
        /// <summary>Something went wrong in the daemon. Report the request id to its operator.</summary>
        public const string Internal = "internal";
        /// <summary>The invitation was already answered or has expired. Ask for a new one.</summary>
        public const string InvitationClosed = "invitation_closed";
        /// <summary>The gathering has reached its limit of open invitations. Wait until some are answered.</summary>
        public const string InvitationLimitReached = "invitation_limit_reached";
        /// <summary>There is no such invitation.</summary>
        public const string InvitationNotFound = "invitation_not_found";
        /// <summary>Somebody else was invited. Only the invited participant can accept.</summary>
        public const string InvitationNotYours = "invitation_not_yours";
        /// <summary>No gathering has this join code. Check its 8 characters.</summary>
        public const string JoinCodeUnknown = "join_code_unknown";
        /// <summary>There is no such leaderboard.</summary>
        public const string LeaderboardNotFound = "leaderboard_not_found";
        /// <summary>The leaderboard has no such period. List its periods.</summary>
        public const string LeaderboardPeriodNotFound = "leaderboard_period_not_found";
        /// <summary>The body is not JSON. Send a JSON document in UTF-8.</summary>
        public const string MalformedJson = "malformed_json";
        /// <summary>The fields contradict each other. Send one of ready and status.</summary>
        public const string MemberChangeInvalid = "member_change_invalid";
        /// <summary>The gathering has no such member.</summary>
        public const string MemberNotFound = "member_not_found";
        /// <summary>You have no access to this project. Ask its owner for an invitation.</summary>
        public const string NoAccessToProject = "no_access_to_project";
        /// <summary>The daemon is at its limit. Try again after the seconds in Retry-After.</summary>
        public const string Overloaded = "overloaded";
        /// <summary>The gathering has no other member who could own it. Remove the owner, or end the gathering.</summary>
        public const string OwnerRequired = "owner_required";
        /// <summary>This participant is banned from the rooms of the project.</summary>
        public const string ParticipantBanned = "participant_banned";
        /// <summary>There is no such participant.</summary>
        public const string ParticipantNotFound = "participant_not_found";
        /// <summary>This participant may only be in gatherings of a limited size.</summary>
        public const string PartyRestricted = "party_restricted";
        /// <summary>The access token is no longer valid. Generate a new one and repeat the request.</summary>
        public const string PlayerTokenInvalid = "player_token_invalid";
        /// <summary>Name the project with the header X-Project-Id.</summary>
        public const string ProjectRequired = "project_required";
        /// <summary>The token provider of this project does not support this operation.</summary>
        public const string ProviderUnsupported = "provider_unsupported";
        /// <summary>The tenant has reached its storage quota. Wait for the seconds in Retry-After, or ask the operator for a larger one.</summary>
        public const string QuotaExceeded = "quota_exceeded";
        /// <summary>Too many requests. Wait for the seconds in Retry-After.</summary>
        public const string RateLimited = "rate_limited";
        /// <summary>There is a complaint about the decision on this report already.</summary>
        public const string ReportAlreadyComplained = "report_already_complained";
        /// <summary>The project has no such category. `earshot reports settings` lists them.</summary>
        public const string ReportCategoryUnknown = "report_category_unknown";
        /// <summary>There is no such report.</summary>
        public const string ReportNotFound = "report_not_found";
        /// <summary>You were not in the room when this message was said. Leave out the message, or name the person.</summary>
        public const string ReportNotHeard = "report_not_heard";
        /// <summary>You were not in this room in the last five minutes. Leave out roomId, or report from within the room.</summary>
        public const string ReportNotInRoom = "report_not_in_room";
        /// <summary>Nobody can report themselves. Name somebody else.</summary>
        public const string ReportSelf = "report_self";
        /// <summary>Name what you report: externalUserId, roomId, or a message of the transcript.</summary>
        public const string ReportTargetRequired = "report_target_required";
        /// <summary>The report is not decided yet, so there is nothing to complain about.</summary>
        public const string ReportUndecided = "report_undecided";
        /// <summary>Reports of this person are suspended, because several were manifestly unfounded. See `details` for the end.</summary>
        public const string ReportingSuspended = "reporting_suspended";
        /// <summary>There is an appeal against this sanction already.</summary>
        public const string SanctionAlreadyAppealed = "sanction_already_appealed";
        /// <summary>The sanction has ended. Issue a new one.</summary>
        public const string SanctionNotActive = "sanction_not_active";
        /// <summary>There is no such sanction.</summary>
        public const string SanctionNotFound = "sanction_not_found";
        /// <summary>Project settings are missing. Set them with `settings set`.</summary>
        public const string SettingsNotConfigured = "settings_not_configured";
        /// <summary>The ticket opens no stream: it was used, is older than 30 seconds, or was made for other filters or another address. Ask for a new one.</summary>
        public const string StreamTicketInvalid = "stream_ticket_invalid";
        /// <summary>NUL and lone surrogates are not allowed in text. Remove them.</summary>
        public const string TextNotAllowed = "text_not_allowed";
        /// <summary>The token provider did not return a token. Check the provider in the project settings.</summary>
        public const string TokenProviderFailed = "token_provider_failed";
        /// <summary>There is no such app.</summary>
        public const string UnknownApp = "unknown_app";
        /// <summary>Send the body as the content type that this operation documents.</summary>
        public const string UnsupportedMediaType = "unsupported_media_type";
        /// <summary>The request is not valid. See `details` for each field.</summary>
        public const string ValidationFailed = "validation_failed";
    }
}
