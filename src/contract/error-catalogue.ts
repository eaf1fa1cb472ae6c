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
  route_not_found: { status: 404, message: 'There is nothing at this path. /api/openapi.json lists every path.' },
  method_not_allowed: {
    status: 405,
    message: 'This path does not allow the method. The header Allow lists those it does.',
  },
  upgrade_required: { status: 426, message: 'This path accepts WebSockets only. Connect with a WebSocket client.' },
  malformed_request: {
    status: 400,
    message: 'The request is not valid HTTP. Check the client, or the proxy in between.',
  },
  headers_too_large: { status: 431, message: 'The headers are larger than 32 KiB. Send smaller ones.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive. Send it again.' },
  not_acceptable: { status: 406, message: 'The answer is application/sdp. List it, or */*, in the header Accept.' },
  body_too_large: { status: 413, message: 'The body is larger than this operation accepts. Send less at a time.' },
  unsupported_media_type: { status: 415, message: 'Send the body as the content type that this operation documents.' },
  idempotency_mismatch: { status: 422, message: 'This Idempotency-Key was used for another request. Use a new key.' },
  idempotency_key_refused: {
    status: 400,
    message:
      'This operation takes no Idempotency-Key: its answer holds a secret, which is not stored for a repeat, or it changes nothing. Send the request without the header.',
  },
  idempotency_answer_erased: {
    status: 410,
    message:
      'The request with this Idempotency-Key was carried out, and data in its answer was erased since. Use a new key to send it again.',
  },
  idempotency_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running. Ask again shortly.',
  },
  rate_limited: { status: 429, message: 'Too many requests. Wait for the seconds in Retry-After.' },
  quota_exceeded: {
    status: 429,
    message:
      'The tenant has reached its storage quota. Wait for the seconds in Retry-After, or ask the operator for a larger one.',
  },
  internal: { status: 500, message: 'Something went wrong in the daemon. Report the request id to its operator.' },
  overloaded: { status: 503, message: 'The daemon is at its limit. Try again after the seconds in Retry-After.' },
  database_unavailable: {
    status: 503,
    message:
      "The database does not answer, is too busy, or is out of space. Try again in a moment; the daemon's log says why.",
  },
  backup_unsupported: {
    status: 409,
    message:
      'The database is PostgreSQL, which has its own tools: back it up with `pg_dump --format=custom`, and keep what `earshotd key export` prints apart from it.',
  },
  backup_running: { status: 409, message: 'A backup is being made. Start another when it has ended.' },
  backup_no_space: {
    status: 409,
    message:
      'The disk has too little room for another copy of the database. Delete old backups from the folder `backups`, or free some.',
  },
  being_moved: { status: 503, message: 'The installation is being moved to another database. Try again in a moment.' },
  shutting_down: { status: 503, message: 'The daemon is stopping. Connect again in a moment.' },

  // who is asking
  credential_missing: { status: 401, message: 'Send an API key (X-API-Key) or a user token (Authorization: Bearer).' },
  credential_invalid: {
    status: 401,
    message: 'The credential is not valid, has expired or was revoked. Log in again or use another key.',
  },
  stream_ticket_invalid: {
    status: 401,
    message:
      'The ticket opens no stream: it was used, is older than 30 seconds, or was made for other filters or another address. Ask for a new one.',
  },
  credential_kind: {
    status: 401,
    message: 'This operation does not accept this kind of credential. Its documentation names those it accepts.',
  },
  console_session_invalid: {
    status: 401,
    message: 'Nobody is signed in to the console in this browser, or the session has ended. Sign in again.',
  },
  console_session_reused: {
    status: 401,
    message:
      'The session was ended, because its cookie was used a second time: somebody else may have had it. Sign in again.',
  },
  console_code_invalid: {
    status: 401,
    message: 'The code was used already or is older than a minute. Run `earshot console` again.',
  },
  console_origin_refused: {
    status: 403,
    message:
      'Only pages of this daemon may do that. Behind a proxy, set EARSHOT_PUBLIC_URL to the address of the browser.',
  },
  console_session_not_found: { status: 404, message: 'Your account has no such session of the console.' },
  login_failed: { status: 401, message: 'E-mail or password is wrong.' },
  login_code_sent: {
    status: 401,
    message:
      'Many logins to this account are failing. If the password was right, a code was mailed to its address: log in again with `code`.',
  },
  login_code_invalid: {
    status: 401,
    message:
      'The password or the code is wrong, or the code was used or has expired. Log in again without `code` to get a new one.',
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
      'The answer of the identity provider about this session is not valid. Ask an administrator to check the provider.',
  },
  identity_email_unverified: {
    status: 401,
    message: 'The identity provider has not verified your e-mail address. Verify it there, then log in.',
  },
  identity_unknown_user: {
    status: 401,
    message: 'There is no account for this e-mail address. Ask an administrator for an invitation.',
  },
  identity_other_person: {
    status: 401,
    message:
      'The account of this e-mail address belongs to somebody else at the identity provider. Ask the operator to run `earshotd users unlink` if it is yours.',
  },
  identity_token_kind: {
    status: 401,
    message:
      'This is an access token, and the identity provider has no introspection to check it by. Send the ID token instead.',
  },
  identity_client_refused: {
    status: 401,
    message:
      "The identity provider refuses the daemon's client id or client secret. Ask the operator to run `earshotd doctor`.",
  },
  identity_flow_unsupported: {
    status: 409,
    message: 'The identity provider has no device flow. Sign in with a browser: `earshot login`.',
  },
  device_login_pending: {
    status: 409,
    message: 'The sign-in has not been confirmed yet. Ask again after the interval.',
  },
  device_login_slow_down: {
    status: 409,
    message: 'The sign-in has not been confirmed yet. Ask five seconds later from now on.',
  },
  device_login_denied: { status: 403, message: 'The sign-in was cancelled at the identity provider.' },
  device_login_expired: { status: 403, message: 'The code was not confirmed in time. Begin again.' },
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
  last_owner: { status: 409, message: 'A project needs at least one owner. Make somebody else owner first.' },
  invitation_token_invalid: { status: 401, message: 'The invitation is no longer valid. Ask for a new one.' },
  password_required: { status: 400, message: 'Send the password of the account, or one for the new account.' },

  // settings and tokens
  secret_needed_again: {
    status: 400,
    message:
      'The address leads to another server (scheme, host or port). Send its secrets again in the same request: stored secrets are used only for the server they were set for.',
  },
  settings_not_found: { status: 404, message: 'The project has no settings. Set them with `settings set`.' },
  settings_not_configured: { status: 400, message: 'Project settings are missing. Set them with `settings set`.' },
  secret_not_found: { status: 404, message: 'The project has no secret. Get one with `settings sync-secret`.' },
  secret_unchanged: {
    status: 409,
    message: 'The billing system still has the same project secret. Rotate it there first.',
  },
  no_secret_found: { status: 400, message: 'The billing system has no secret for this project.' },
  functions_not_configured: {
    status: 409,
    message: 'Settings of functions are missing. See `details`, and set them with `functions set`.',
  },
  functions_active: {
    status: 409,
    message: 'The functions run at this address. Deactivate them first: `functions set --no-enabled`.',
  },
  functions_changing: { status: 409, message: 'A request to the hosting API is still running. Try again in a minute.' },
  functions_environment_full: {
    status: 409,
    message: 'The environment has reached its limit of variables. Remove some first.',
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
    message: 'The hosting API gave an unexpected answer. See `details`, and try again.',
  },
  billing_unavailable: { status: 503, message: 'The billing system does not answer. Try again in a moment.' },
  e2ee_password_required: { status: 400, message: 'Mode manual needs a password. Send one with the request.' },
  token_provider_failed: {
    status: 502,
    message: 'The token provider did not return a token. Check the provider in the project settings.',
  },
  provider_unsupported: { status: 409, message: 'The token provider of this project does not support this operation.' },

  // participants and sanctions
  participant_not_found: { status: 404, message: 'There is no such participant.' },
  participant_banned: { status: 403, message: 'This participant is banned from the rooms of the project.' },
  participant_muted: {
    status: 403,
    message:
      'This participant is muted, so the line was not stored. Tell them, or send `judged: true` if you let it pass.',
  },
  participant_limited: {
    status: 403,
    message:
      'What this participant says is limited, so the line was not stored. Tell them, or send `judged: true` if you let it pass.',
  },
  sanction_not_found: { status: 404, message: 'There is no such sanction.' },
  sanction_target_required: { status: 400, message: 'Name the target with participantId or externalUserId.' },
  sanction_target_mismatch: {
    status: 400,
    message: 'participantId and externalUserId name different people. Send one of them.',
  },
  sanction_time_invalid: {
    status: 400,
    message: 'Send duration or endAt as the kind of sanction allows, with an end after the start.',
  },
  sanction_parameters_invalid: { status: 400, message: 'Send only the parameter that this kind of sanction has.' },
  sanction_not_active: { status: 409, message: 'The sanction has ended. Issue a new one.' },
  sanction_template_not_found: {
    status: 404,
    message: 'There is no such template. `sanctions templates list` lists them.',
  },
  sanction_template_limit: {
    status: 409,
    message: 'The project has reached its limit of templates. Delete one first.',
  },
  sanction_batch_refused: {
    status: 400,
    message: 'Nothing was applied. Correct the lines in `details` and send the batch again.',
  },
  sanction_batch_line_differs: {
    status: 409,
    message: 'This line of the batch was applied with other content. Give the changed batch a new name.',
  },
  sanction_batch_not_found: { status: 404, message: 'There is no such batch.' },
  sanction_batch_undone: { status: 409, message: 'The batch was undone. Apply it again under another name.' },
  sanction_without_statement: {
    status: 409,
    message:
      'There is no statement of a human_review, nor of a shadow mute while it is in force: the person is not told.',
  },
  standing_code_invalid: {
    status: 404,
    message:
      'There is no such statement, or it is no longer shown: it was deleted, the game is no longer here, or its sanction and the time to appeal ended over 30 days ago. Open the address exactly as you got it.',
  },
  appeal_too_late: {
    status: 409,
    message: 'The sanction has ended, and the six months in which it can be appealed are over.',
  },
  appeal_own_sanction: {
    status: 403,
    message:
      'You proposed, imposed or changed this sanction, or made the key that did. Somebody else has to decide the appeal.',
  },
  appeal_person_required: {
    status: 403,
    message: 'An appeal or a complaint is decided by a person, not with an API key. Log in with an account.',
  },
  appeal_answer_required: {
    status: 400,
    message: 'Send an answer that tells the person why the appeal is decided so.',
  },
  appeal_not_unfounded: {
    status: 400,
    message: 'Only an appeal that you uphold can be manifestly unfounded.',
  },
  appeals_suspended: {
    status: 403,
    message:
      'Appeals of this person are suspended, because several were manifestly unfounded. See `details` for the end.',
  },
  ban_needs_second_person: {
    status: 409,
    message:
      'The project wants a second person for this ban. Propose it in the case of the person (`earshot reports create`, `earshot cases decide`); a shorter ban can hold meanwhile.',
  },
  sanction_already_appealed: { status: 409, message: 'There is an appeal against this sanction already.' },
  review_not_found: { status: 404, message: 'There is no such review.' },
  review_claimed: {
    status: 409,
    message:
      'Somebody else has claimed this review. Wait half an hour until the claim ends, or ask them to release it.',
  },
  review_not_claimed: { status: 409, message: 'The review is not claimed. Claim it first.' },
  review_decided: {
    status: 409,
    message: 'The review is decided. Whoever decided it can reopen it by claiming it again.',
  },
  review_decision_required: {
    status: 400,
    message: 'Send a decision together with status decided, and with no other status.',
  },
  report_not_found: { status: 404, message: 'There is no such report.' },
  report_target_required: {
    status: 400,
    message: 'Name what you report: externalUserId, roomId, or a message of the transcript.',
  },
  report_not_in_room: {
    status: 403,
    message: 'You were not in this room in the last five minutes. Leave out roomId, or report from within the room.',
  },
  report_not_heard: {
    status: 403,
    message: 'You were not in the room when this message was said. Leave out the message, or name the person.',
  },
  report_undecided: { status: 409, message: 'The report is not decided yet, so there is nothing to complain about.' },
  report_already_complained: {
    status: 409,
    message: 'There is a complaint about the decision on this report already.',
  },
  complaint_too_late: {
    status: 409,
    message:
      'The six months in which you can complain about the decision are over, or nobody is left whom the report is about.',
  },
  complaint_not_waiting: { status: 409, message: 'No complaint about this report waits for a decision.' },
  complaint_own_decision: {
    status: 403,
    message:
      'You made or proposed the decision that the complaint is about, or made the key that did. Somebody else has to decide it.',
  },
  receipt_code_invalid: {
    status: 404,
    message: 'There is no report with this code, or it was deleted. Open the address exactly as you got it.',
  },
  report_self: { status: 400, message: 'Nobody can report themselves. Name somebody else.' },
  report_category_unknown: {
    status: 400,
    message: 'The project has no such category. `earshot reports settings` lists them.',
  },
  reporting_suspended: {
    status: 403,
    message:
      'Reports of this person are suspended, because several were manifestly unfounded. See `details` for the end.',
  },
  legal_hold: {
    status: 409,
    message: 'This is on legal hold. An administrator can lift the hold: `earshot cases lift-hold`.',
  },
  case_held: { status: 409, message: 'The case is on hold already.' },
  case_not_held: { status: 409, message: 'The case is not on hold.' },
  order_not_found: { status: 404, message: 'There is no such order.' },
  order_decided: { status: 409, message: 'What came of this order is noted already.' },
  case_not_found: { status: 404, message: 'There is no such case.' },
  case_decided: { status: 409, message: 'Somebody has decided this case already. See `details` for who and what.' },
  case_claimed: { status: 409, message: 'Somebody else has claimed this case. Wait until the claim ends.' },
  case_unconfirmed: {
    status: 409,
    message: 'Somebody has proposed a permanent ban. Confirm it or turn it down first: `earshot cases confirm`.',
  },
  case_not_reopenable: {
    status: 409,
    message: 'Only a case that somebody decided about a person or a room can be reopened, and not one that was merged.',
  },
  case_not_proposed: { status: 409, message: 'Nothing is proposed in this case. Decide it: `earshot cases decide`.' },
  case_same_moderator: {
    status: 409,
    message:
      'You have proposed this ban yourself, or with a key that you made. Somebody else must confirm it; you can turn it down.',
  },
  case_person_required: {
    status: 403,
    message: 'The second pair of eyes is a person, not an API key. Log in with an account.',
  },
  suspension_person_required: {
    status: 403,
    message:
      'A person decides on a suspension. Log in with an account, or send `decidedBy: person` where somebody decided it in a tool of yours.',
  },
  case_ground_mismatch: {
    status: 400,
    message:
      'A decision as illegal_content names the law, and no other decision does: send `sanction.ground` (`--law`), use a template that has one, or choose the other reason code.',
  },
  case_without_person: { status: 409, message: 'The case is about no person, so nobody can be sanctioned.' },
  case_appeal_undecided: {
    status: 409,
    message: 'An appeal in this case is undecided. Uphold or overturn it first: `earshot reviews uphold`.',
  },
  case_merge_into_self: { status: 400, message: 'A case cannot be merged into itself. Name another one.' },
  case_split_invalid: {
    status: 400,
    message: 'Name reports or reviews of the case, but not all of them: something must move, and something must stay.',
  },
  person_move_to_self: { status: 400, message: 'The person already has this external user id. Name another one.' },
  person_move_conflict: {
    status: 409,
    message:
      "The history of the new external user id cannot be merged with the person's: see `details`. Reset or remove what conflicts for one of the two, or erase the other participant. Then try again.",
  },
  person_moved: {
    status: 409,
    message: 'The person was moved to the external user id in `details`. Nothing is left under this one.',
  },
  participant_note_not_found: { status: 404, message: 'There is no such note.' },
  participant_note_limit: {
    status: 409,
    message: 'The participant has reached the limit of notes. Delete some first.',
  },

  block_self: { status: 400, message: 'Nobody can block themselves. Name somebody else.' },
  block_limit_reached: {
    status: 409,
    message: 'The person blocks as many people as anybody may. Unblock some first.',
  },

  report_audio_not_found: {
    status: 404,
    message: 'No sound is stored with the report: none was held in memory then, or its time is over.',
  },

  // gatherings
  gathering_not_found: { status: 404, message: 'There is no such gathering.' },
  gathering_closed: { status: 409, message: 'The gathering is over. Create a new one.' },
  gathering_full: { status: 409, message: 'The gathering has no free seat. Try again after somebody has left.' },
  gathering_invite_only: {
    status: 409,
    message: 'Only invited people can join this gathering. Ask its owner for an invitation.',
  },
  gathering_too_small: {
    status: 409,
    message: 'The gathering has more members than that. Choose a larger maxMembers, or remove members first.',
  },
  gathering_time_invalid: { status: 400, message: 'The end must lie after the start.' },
  join_code_unknown: { status: 404, message: 'No gathering has this join code. Check its 8 characters.' },
  party_restricted: { status: 403, message: 'This participant may only be in gatherings of a limited size.' },
  member_not_found: { status: 404, message: 'The gathering has no such member.' },
  member_change_invalid: { status: 400, message: 'The fields contradict each other. Send one of ready and status.' },
  owner_required: {
    status: 409,
    message: 'The gathering has no other member who could own it. Remove the owner, or end the gathering.',
  },
  invitation_not_found: { status: 404, message: 'There is no such invitation.' },
  invitation_not_yours: { status: 403, message: 'Somebody else was invited. Only the invited participant can accept.' },
  invitation_closed: {
    status: 409,
    message: 'The invitation was already answered or has expired. Ask for a new one.',
  },
  invitation_limit_reached: {
    status: 409,
    message: 'The gathering has reached its limit of open invitations. Wait until some are answered.',
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
    message: 'The project has reached its limit of sessions with a bot. Stop one first.',
  },
  external_user_id_reserved: {
    status: 400,
    message: 'This external user id is reserved for the bot or for observers in rooms. Use another one.',
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
    message: 'The limit of open rooms is reached. Leave a room that nobody needs, or try again later.',
  },
  room_closed: { status: 403, message: 'A moderator has closed this room.' },
  room_full: { status: 503, message: 'The room has no seat left.' },
  room_unavailable: { status: 503, message: 'The room process is not running. Try again in a moment.' },
  room_elsewhere: { status: 421, message: 'Another daemon runs the voice rooms. Send the request to it.' },
  peer_not_found: { status: 404, message: 'There is no such peer in the room.' },
  already_publishing: { status: 409, message: 'This participant already publishes into the room. Leave there first.' },
  // events and webhooks
  signature_invalid: {
    status: 401,
    message:
      'The signature is missing, wrong or older than 5 minutes. Sign timestamp and raw body with the project secret.',
  },
  event_not_found: { status: 404, message: 'The log holds no such event of this project, or not any more.' },
  reserved_type: { status: 400, message: 'The daemon emits events of this type itself. Choose another type.' },
  webhook_subscription_not_found: { status: 404, message: 'There is no such webhook subscription.' },
  webhook_subscription_limit: {
    status: 409,
    message: 'The project has reached its limit of webhook subscriptions (100). Delete one first.',
  },
  webhook_subscription_disabled: {
    status: 409,
    message: 'The subscription is disabled. Enable it first with `webhooks enable`.',
  },
  replay_range_invalid: {
    status: 400,
    message:
      'since and until must each be a time or an event id that the log still holds, and since must lie before until.',
  },
  webhook_event_not_found: { status: 404, message: 'There is no such webhook event.' },
  webhook_auth_incomplete: {
    status: 400,
    message: 'The authType needs its fields: apiKey; basicAuthUsername and basicAuthPassword; or customHeaders.',
  },

  // plugins
  plugin_not_found: { status: 404, message: 'There is no such plugin. `plugins list` lists them.' },
  plugin_unknown: { status: 400, message: 'There is no such plugin. `plugins list` lists them.' },
  plugin_instance_not_found: {
    status: 404,
    message: 'The project has no such plugin. `plugins installed` shows those it has.',
  },
  plugin_already_installed: {
    status: 409,
    message: 'The project already has this plugin. Change its settings with `plugins update`.',
  },
  plugin_settings_invalid: {
    status: 400,
    message: 'The settings do not fit the schema of the plugin. See `details`, and `plugins get` for the schema.',
  },
  rule_not_found: { status: 404, message: 'There is no such rule. `rules list` shows those there are.' },
  rule_version_not_found: { status: 404, message: 'The rule has no such version. `rules versions` lists them.' },
  rule_decision_not_found: { status: 404, message: 'There is no such decision, or it is no longer kept.' },
  rule_name_taken: { status: 409, message: 'The project has a rule of this name. Choose another name.' },
  rule_limit: {
    status: 409,
    message: 'The project has reached its limit of rules, or the rule its limit of versions. Delete a rule first.',
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
    message: 'The access token is no longer valid. Generate a new one and repeat the request.',
  },
  unknown_event: { status: 404, message: 'There is no game event of this name. `game-events catalogue` lists them.' },
  game_event_invalid: { status: 400, message: 'The event lacks a property or has a wrong one. See `details`.' },
  user_mismatch: { status: 400, message: 'user_id differs from the user of the access token. Omit it.' },
  gameplay_object_not_found: {
    status: 404,
    message: 'There is no such challenge, battle pass, level or leaderboard.',
  },
  challenge_not_found: { status: 404, message: 'There is no such challenge.' },
  challenge_category_not_found: { status: 404, message: 'There is no such challenge category.' },
  challenge_category_slug_taken: { status: 409, message: 'A category of this slug exists. Choose another slug.' },
  challenge_category_in_use: { status: 409, message: 'The category holds challenges. Move or delete them first.' },
  challenge_limit_reached: { status: 409, message: 'The project has reached its limit of these. Delete some first.' },
  battle_pass_not_found: { status: 404, message: 'There is no such battle pass.' },
  battle_pass_level_not_found: { status: 404, message: 'There is no such level of a battle pass.' },
  battle_pass_limit_reached: {
    status: 409,
    message: 'The limit of battle passes, levels or challenges of a level is reached. Delete some first.',
  },
  action_not_possible: { status: 402, message: 'This was already done, or is not possible yet.' },
  counting_conflict: {
    status: 409,
    message: 'Another challenge in progress counts this event in a different way. Finish or cancel it first.',
  },
  leaderboard_not_found: { status: 404, message: 'There is no such leaderboard.' },
  leaderboard_period_not_found: { status: 404, message: 'The leaderboard has no such period. List its periods.' },
  leaderboard_member_not_found: { status: 404, message: 'There is no such member on the board now.' },
  leaderboard_limit_reached: {
    status: 409,
    message: 'The project has reached its limit of leaderboards. Delete one first.',
  },
  leaderboard_rebuild_not_found: { status: 404, message: 'There is no such rebuild.' },
  leaderboard_rebuild_running: {
    status: 409,
    message: 'A rebuild of this leaderboard is running. Wait until it is done, or cancel it.',
  },
  leaderboard_rebuild_closed: {
    status: 409,
    message:
      'The state of the rebuild does not allow this: it was applied, undone or replaced by a newer one. Start another rebuild.',
  },
  leaderboard_events_gone: {
    status: 409,
    message: 'Events that this needs are no longer stored, so the scores cannot be counted again.',
  },
  season_unreadable: {
    status: 409,
    message:
      'The last applied season is stored in a form that this version cannot read, so later changes on the daemon are unknown. Compare your file with `gameplay export`, then apply it with `force`.',
  },
  deletion_not_found: {
    status: 404,
    message:
      'There is no such deletion, it was undone already, or its day is over. `gameplay deletions` lists those that can be undone.',
  },
  deletion_conflict: {
    status: 409,
    message: 'The project has changed in a way that leaves no place for what was deleted. Nothing was restored.',
  },
  season_changed: {
    status: 409,
    message:
      'The file would overwrite changes made on the daemon since a file was last applied; see `details`. Adopt the changes with `gameplay export`, or overwrite them with `force`.',
  },

  sdp_invalid: {
    status: 400,
    message: 'The offer is not usable SDP with Opus audio. If its lines are bundle-only, put the audio first.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof catalogue;

export const errorCatalogue: Readonly<Record<ErrorCode, ErrorEntry>> = catalogue;
