/** Every refusal that the daemon can give: code → status and sentence. Sentences say what to do. */

interface ErrorEntry {
  readonly status: number;
  readonly message: string;
}

const catalogue = {
  // the request itself
  validation_failed: { status: 400, message: 'The request is not valid. See `details` for each field.' },
  malformed_json: { status: 400, message: 'The body is not JSON. Send a JSON document in UTF-8.' },
  text_not_allowed: { status: 400, message: 'NUL and lone surrogates are not allowed in text. Remove them.' },
  project_required: { status: 400, message: 'Name the project with the header X-Project-Id.' },
  route_not_found: { status: 404, message: 'There is nothing at this path. See /api/openapi.json for every path.' },
  method_not_allowed: {
    status: 405,
    message: 'This path does not know the method. The header Allow lists those it knows.',
  },
  upgrade_required: { status: 426, message: 'Only WebSockets are spoken here. Connect with a WebSocket client.' },
  malformed_request: {
    status: 400,
    message: 'This is not HTTP that can be read. Check the client or the proxy between.',
  },
  headers_too_large: { status: 431, message: 'The headers are larger than 32 KiB. Send less in them.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive. Send it again.' },
  not_acceptable: { status: 406, message: 'The answer is application/sdp. Name it, or */*, in the header Accept.' },
  body_too_large: { status: 413, message: 'The body is larger than this operation accepts. Send less at a time.' },
  unsupported_media_type: { status: 415, message: 'Send the body as the content type that this operation documents.' },
  idempotency_mismatch: { status: 422, message: 'This Idempotency-Key was used with another body. Use a new key.' },
  idempotency_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running. Ask again shortly.',
  },
  rate_limited: { status: 429, message: 'Too many requests. Wait for the seconds in Retry-After.' },
  quota_exceeded: {
    status: 429,
    message:
      'The tenant has stored as much as it may. Wait for the seconds in Retry-After, or ask the operator for more.',
  },
  internal: { status: 500, message: 'Something went wrong here. Quote the request id to whoever runs this daemon.' },
  overloaded: { status: 503, message: 'The daemon is at its limit. Try again after the seconds in Retry-After.' },
  database_unavailable: {
    status: 503,
    message:
      'The database does not answer, or has no place left. Try again in a moment; the log of the daemon says why.',
  },
  shutting_down: { status: 503, message: 'The daemon is stopping. Connect again in a moment.' },

  // who is asking
  credential_missing: { status: 401, message: 'Send an API key (X-API-Key) or a user token (Authorization: Bearer).' },
  credential_invalid: {
    status: 401,
    message: 'The credential is not valid, has expired or was revoked. Log in again or use another key.',
  },
  credential_kind: {
    status: 401,
    message: 'This operation does not accept this kind of credential. Its documentation names those it accepts.',
  },
  login_failed: { status: 401, message: 'E-mail or password is wrong.' },
  login_code_sent: {
    status: 401,
    message:
      'Many sign-ins at this account fail at the moment. If the password is right, a code was mailed to its address: log in again with `code`.',
  },
  login_code_invalid: {
    status: 401,
    message:
      'Password or code is wrong, or the code was used or is too old. Log in again without `code` to be sent a new one.',
  },
  identity_provider_not_configured: {
    status: 401,
    message: 'No identity provider is configured. Log in with e-mail and password.',
  },
  identity_refused: {
    status: 401,
    message: 'The identity provider did not confirm this session. Sign in there again.',
  },
  identity_answer_invalid: {
    status: 401,
    message:
      'The identity provider described this session in a way that cannot be read. Ask an administrator to check it.',
  },
  identity_email_unverified: {
    status: 401,
    message: 'The identity provider has not verified your e-mail address. Verify it there, then log in.',
  },
  identity_unknown_user: {
    status: 401,
    message: 'There is no account for this e-mail address. Ask an administrator for an invitation.',
  },
  identity_unavailable: { status: 503, message: 'The identity provider does not answer. Try again in a moment.' },
  insufficient_scope: {
    status: 403,
    message: 'The API key lacks the scope of this operation. Create a key that has it.',
  },
  insufficient_role: {
    status: 403,
    message: 'Your role does not allow this operation. Ask an administrator of the project.',
  },
  no_access_to_project: {
    status: 403,
    message: 'You have no access to this project. Ask its owner for an invitation.',
  },

  // accounts, keys, projects
  api_key_not_found: { status: 404, message: 'There is no such API key.' },
  project_not_found: { status: 404, message: 'There is no such project.' },
  project_name_taken: { status: 409, message: 'A project of this name exists. Choose another name.' },
  permission_not_found: { status: 404, message: 'There is no such permission. `users list` shows their ids.' },
  already_invited: { status: 409, message: 'This address already has access or an open invitation.' },
  last_owner: { status: 409, message: 'A project keeps at least one owner. Make somebody else owner first.' },
  invitation_token_invalid: { status: 401, message: 'The invitation is not valid any more. Ask for a new one.' },
  password_required: { status: 400, message: "Send the account's password, or the one that a new account is to have." },

  // settings and tokens
  secret_needed_again: {
    status: 400,
    message:
      'The address leads to another server (scheme, host or port). Send its secrets again in the same request: stored ones go only where they were given for.',
  },
  settings_not_found: { status: 404, message: 'The project has no settings. Set them with `settings set`.' },
  settings_not_configured: { status: 400, message: 'Project settings are missing. Set them with `settings set`.' },
  secret_not_found: { status: 404, message: 'The project has no secret. Get one with `settings sync-secret`.' },
  no_secret_found: { status: 400, message: 'The billing system has no secret for this project.' },
  functions_not_configured: {
    status: 409,
    message: 'Settings of functions are missing. See `details`, and set them with `functions set`.',
  },
  functions_active: {
    status: 409,
    message: 'The functions run at this address. Deactivate them first: `functions set --no-enabled`.',
  },
  functions_changing: { status: 409, message: 'The hosting API is being asked. Try again in a minute.' },
  functions_environment_full: {
    status: 409,
    message: 'The environment holds as many variables as it may. Remove some first.',
  },
  functions_activation_refused: {
    status: 409,
    message: 'The hosting API refused these settings. See `statusMessage` of the settings, and change them.',
  },
  functions_credentials_refused: {
    status: 409,
    message: 'The hosting API refused the credentials. Set others with `functions set`.',
  },
  functions_provider_unavailable: {
    status: 502,
    message: 'The hosting API did not answer as it should. See `details`, and try again.',
  },
  billing_unavailable: { status: 503, message: 'The billing system does not answer. Try again in a moment.' },
  e2ee_password_required: { status: 400, message: 'Mode manual needs a password. Send one with the request.' },
  token_provider_failed: {
    status: 502,
    message: 'The token provider did not give a token. Check the provider in the project settings.',
  },
  provider_unsupported: { status: 409, message: 'The token provider of this project does not support this operation.' },

  // participants and sanctions
  participant_not_found: { status: 404, message: 'There is no such participant.' },
  participant_banned: { status: 403, message: 'This participant is banned from the rooms of the project.' },
  sanction_not_found: { status: 404, message: 'There is no such sanction.' },
  sanction_target_required: { status: 400, message: 'Name the target with participantId or externalUserId.' },
  sanction_target_mismatch: {
    status: 400,
    message: 'participantId and externalUserId name different people. Send one of them.',
  },
  sanction_time_invalid: {
    status: 400,
    message: 'Send duration or endAt as the kind of sanction allows; the end lies after the start.',
  },
  sanction_parameters_invalid: { status: 400, message: 'Send only the parameter that the kind of sanction has.' },
  sanction_not_active: { status: 409, message: 'The sanction has ended. Issue a new one.' },
  sanction_template_not_found: {
    status: 404,
    message: 'There is no such template. `sanctions templates list` shows those there are.',
  },
  sanction_template_limit: { status: 409, message: 'The project has as many templates as it may. Delete one first.' },
  sanction_batch_refused: {
    status: 400,
    message: 'Nothing was applied. Correct the lines in `details` and send the batch again.',
  },
  sanction_batch_line_differs: {
    status: 409,
    message: 'This line of the batch was applied with another content. Give the changed batch a name of its own.',
  },
  sanction_batch_not_found: { status: 404, message: 'There is no such batch.' },
  sanction_batch_undone: { status: 409, message: 'The batch was taken back. Apply it again under another name.' },
  sanction_already_appealed: { status: 409, message: 'There is an appeal against this sanction already.' },
  review_not_found: { status: 404, message: 'There is no such review.' },
  review_claimed: { status: 409, message: 'Somebody else has claimed this review. Leave it to them.' },
  review_not_claimed: { status: 409, message: 'The review is not claimed. Claim it first.' },
  review_decided: {
    status: 409,
    message: 'The review is decided. Whoever decided it takes the decision back by claiming it again.',
  },
  review_decision_required: { status: 400, message: 'Send status decided together with a decision.' },
  person_move_to_self: { status: 400, message: 'They have this external user id already. Name another one.' },
  person_move_conflict: {
    status: 409,
    message:
      'The new external user id has a history that cannot become one with theirs: see details. Reset or remove it for one of the two, or erase the other participant; then try again.',
  },
  person_moved: {
    status: 409,
    message: 'They have been moved to another external user id, which is in details. Nothing is left under this one.',
  },
  participant_note_not_found: { status: 404, message: 'There is no such note.' },
  participant_note_limit: { status: 409, message: 'There are as many notes as there may be. Delete some first.' },

  // gatherings
  gathering_not_found: { status: 404, message: 'There is no such gathering.' },
  gathering_closed: { status: 409, message: 'The gathering is over. Create a new one.' },
  gathering_full: { status: 409, message: 'The gathering has no free seat. Try again when somebody has left.' },
  gathering_invite_only: {
    status: 409,
    message: 'This gathering takes invited people only. Ask its owner for an invitation.',
  },
  gathering_too_small: {
    status: 409,
    message: 'There are more members than that. Choose a larger maxMembers, or take members out first.',
  },
  gathering_time_invalid: { status: 400, message: 'The end must lie after the start.' },
  join_code_unknown: { status: 404, message: 'No gathering has this join code. Check its 8 characters.' },
  party_restricted: { status: 403, message: 'This participant may only be in gatherings of a limited size.' },
  member_not_found: { status: 404, message: 'The gathering has no such member.' },
  member_change_invalid: { status: 400, message: 'The fields contradict each other. Send one of ready and status.' },
  owner_required: {
    status: 409,
    message: 'Nobody else is there to own the gathering. Take the owner out, or end the gathering.',
  },
  invitation_not_found: { status: 404, message: 'There is no such invitation.' },
  invitation_not_yours: { status: 403, message: 'Somebody else was invited. Only the invited participant can accept.' },
  invitation_closed: {
    status: 409,
    message: 'The invitation was answered already or has run out. Ask for a new one.',
  },
  invitation_limit_reached: {
    status: 409,
    message: 'The gathering has as many open invitations as it may. Wait until some are answered.',
  },

  // sessions and rooms
  session_not_found: { status: 404, message: 'There is no such session.' },
  debug_audio_not_found: {
    status: 404,
    message: 'There is no debug audio for this message. It is kept for 24 hours while the setting is on.',
  },
  room_has_session: { status: 409, message: 'The room already has an active session. Stop it first, or use it.' },
  bot_limit_reached: {
    status: 409,
    message: 'The project has as many sessions with a bot as it may have at the same time. Stop one first.',
  },
  external_user_id_reserved: {
    status: 400,
    message: 'This external user id belongs to the bot or to observers in the rooms. Take another one.',
  },
  room_token_invalid: {
    status: 401,
    message: 'The room token is not valid, has expired or was revoked. Ask for a new one.',
  },
  room_token_forbids: {
    status: 403,
    message: 'The room token does not allow this. Ask for a token with the permission.',
  },
  offer_in_progress: {
    status: 429,
    message: 'Another offer with this token is being answered. Send one at a time, after the seconds in Retry-After.',
  },
  room_limit_reached: {
    status: 503,
    message: 'As many rooms are open as may be. Leave a room that nobody needs, or try again later.',
  },
  room_closed: { status: 403, message: 'A moderator has closed this room.' },
  room_full: { status: 503, message: 'The room has no seat left.' },
  room_unavailable: { status: 503, message: 'The room process is not running. Try again in a moment.' },
  room_elsewhere: { status: 421, message: 'Another daemon has the voice rooms. Send the request to it.' },
  peer_not_found: { status: 404, message: 'There is no such peer in the room.' },
  already_publishing: { status: 409, message: 'This participant already publishes into the room. Leave there first.' },
  // events and webhooks
  signature_invalid: {
    status: 401,
    message:
      'The signature is missing, wrong or older than 5 minutes. Sign timestamp and raw body with the project secret.',
  },
  event_not_found: { status: 404, message: 'The log holds no such event of this project, or no longer.' },
  reserved_type: { status: 400, message: 'The daemon emits events of this type itself. Choose another type.' },
  webhook_subscription_not_found: { status: 404, message: 'There is no such webhook subscription.' },
  webhook_subscription_limit: {
    status: 409,
    message: 'The project has as many webhook subscriptions as it may (100). Delete one first.',
  },
  webhook_subscription_disabled: {
    status: 409,
    message: 'The subscription is disabled. Enable it first with `webhooks enable`.',
  },
  replay_range_invalid: {
    status: 400,
    message: 'since and until are an event id that the log still holds, or a time; since lies before until.',
  },
  webhook_event_not_found: { status: 404, message: 'There is no such webhook event.' },
  webhook_auth_incomplete: {
    status: 400,
    message: 'The authType needs its fields: apiKey; basicAuthUsername and basicAuthPassword; or customHeaders.',
  },

  // plugins
  plugin_not_found: { status: 404, message: 'There is no such plugin. `plugins list` shows those there are.' },
  plugin_unknown: { status: 400, message: 'There is no such plugin. `plugins list` shows those there are.' },
  plugin_instance_not_found: { status: 404, message: 'The project has no such plugin. List those it has.' },
  plugin_already_installed: { status: 409, message: 'The project has this plugin already. Change its settings.' },
  plugin_settings_invalid: {
    status: 400,
    message: 'The settings do not fit the schema of the plugin. See `details`, and `plugins get` for the schema.',
  },
  rule_not_found: { status: 404, message: 'There is no such rule. `rules list` shows those there are.' },
  rule_version_not_found: { status: 404, message: 'The rule has no such version. `rules versions` lists them.' },
  rule_decision_not_found: { status: 404, message: 'There is no such decision, or it is not kept any more.' },
  rule_name_taken: { status: 409, message: 'The project has a rule of this name. Choose another name.' },
  rule_limit: {
    status: 409,
    message: 'The project has as many rules, or the rule as many versions, as it may. Delete a rule first.',
  },
  rule_plugin_not_installed: {
    status: 400,
    message: 'The project has not installed a plugin of the rule, so the rule would never match. Install it first.',
  },
  summary_plugin_not_installed: {
    status: 409,
    message: 'No summary plugin is enabled in the project. Install or enable the plugin `summary`.',
  },

  // gameplay
  unknown_app: { status: 404, message: 'There is no such app.' },
  player_token_invalid: {
    status: 403,
    message: 'The access token is not valid any more. Generate a new one and repeat the request.',
  },
  unknown_event: { status: 404, message: 'There is no game event of this name. `game-events catalogue` lists them.' },
  game_event_invalid: { status: 400, message: 'The event lacks a property or has a wrong one. See `details`.' },
  user_mismatch: { status: 400, message: 'user_id differs from the user of the access token. Leave it out.' },
  challenge_not_found: { status: 404, message: 'There is no such challenge.' },
  challenge_category_not_found: { status: 404, message: 'There is no such challenge category.' },
  challenge_category_slug_taken: { status: 409, message: 'A category of this slug exists. Choose another slug.' },
  challenge_category_in_use: { status: 409, message: 'The category holds challenges. Move or delete them first.' },
  challenge_limit_reached: { status: 409, message: 'The project holds as many of these as it may. Delete some first.' },
  battle_pass_not_found: { status: 404, message: 'There is no such battle pass.' },
  battle_pass_level_not_found: { status: 404, message: 'There is no such level of a battle pass.' },
  battle_pass_limit_reached: {
    status: 409,
    message: 'There are as many battle passes, levels or challenges of levels as there may be. Delete some first.',
  },
  action_not_possible: { status: 402, message: 'This was done already or is not possible yet.' },
  counting_conflict: {
    status: 409,
    message: 'Another challenge in progress counts this event in a different way. Finish or cancel it first.',
  },
  leaderboard_not_found: { status: 404, message: 'There is no such leaderboard.' },
  leaderboard_period_not_found: { status: 404, message: 'The leaderboard has no such period. List its periods.' },
  leaderboard_member_not_found: { status: 404, message: 'There is no such member on the board now.' },
  leaderboard_limit_reached: {
    status: 409,
    message: 'The project holds as many leaderboards as it may. Delete one first.',
  },
  leaderboard_rebuild_not_found: { status: 404, message: 'There is no such rebuild.' },
  leaderboard_rebuild_running: {
    status: 409,
    message: 'A rebuild of this leaderboard is under way. Wait until it is done, or cancel it.',
  },
  leaderboard_rebuild_closed: {
    status: 409,
    message:
      'This cannot be done with the rebuild now: it was applied, undone or replaced by a newer one. Make another.',
  },
  leaderboard_events_gone: {
    status: 409,
    message: 'Events that this needs are not kept any more, so the scores cannot be counted again.',
  },
  season_unreadable: {
    status: 409,
    message:
      'The season that was applied last is stored in a form that this version cannot read, so nobody can say what was changed on the daemon since. Compare your file with `gameplay export`, then apply it with `force`.',
  },
  season_changed: {
    status: 409,
    message:
      'What the file would overwrite was changed on the daemon since a file was applied last; see `details`. Take the changes over with `gameplay export`, or overwrite them with `force`.',
  },

  sdp_invalid: {
    status: 400,
    message: 'The offer is not usable SDP with Opus audio. Where lines are bundled only, put the audio first.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof catalogue;

export const errorCatalogue: Readonly<Record<ErrorCode, ErrorEntry>> = catalogue;
