extends "shared/client.gd"
## Earshot as a server of the game sees it. Takes an API key, so it never runs in the game that players have.
## Written by `npm run kits:godot` from src/contract. Do not edit.


## Create a player token.
func create_player_token(user_id):
	return _call(
		"POST",
		"/api/projects/" + _segment(project_id) + "/players/" + _segment(user_id) + "/token")


## Show the challenges, battle passes, leaderboards and sanctions of a player.
func get_player(user_id):
	return _call(
		"GET",
		"/api/projects/" + _segment(project_id) + "/players/" + _segment(user_id))


## Give a player premium in an unlocked battle pass, including claimed levels.
## body: purchasePrice, purchaseCurrency.
func grant_player_battle_pass_premium(user_id, id, body := {}):
	return _call(
		"POST",
		"/api/projects/" + _segment(project_id) + "/players/" + _segment(user_id) + "/battle-passes/" + _segment(id) + "/premium",
		{},
		body,
		[
			"purchasePrice",
			"purchaseCurrency",
		],
		true)


## Submit up to 1000 game events of any players; each gets its own result.
## body: events (required), sent_at.
func import_game_events(body: Dictionary):
	return _call(
		"POST",
		"/api/projects/" + _segment(project_id) + "/game-events",
		{},
		body,
		[
			"events",
			"sent_at",
		],
		true)


## List the predefined events and their properties.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func get_available_events(after = null):
	return _call(
		"GET",
		"/api/v1/public/documentation",
		{"after": after},
		null,
		[],
		false,
		{"is_whole": true})


## Create a participant, or return the one that exists.
## body: externalUserId (required), displayName, userData, language, minor.
func create_participant(body: Dictionary):
	return _call(
		"POST",
		"/api/projects/" + _segment(project_id) + "/participants",
		{},
		body,
		[
			"externalUserId",
			"displayName",
			"userData",
			"language",
			"minor",
		],
		true)


## Show a participant.
func get_participant(id):
	return _call(
		"GET",
		"/api/projects/" + _segment(project_id) + "/participants/" + _segment(id))


## List the sanctions in force against a user now.
## limit: Rows; default: as many as fit in 2 MiB.
## offset: Rows to skip.
## type: Type.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func list_active_user_sanctions(
		external_user_id,
		limit = null,
		offset = null,
		type = null,
		after = null):
	return _call(
		"GET",
		"/api/projects/" + _segment(project_id) + "/sanctions/user/" + _segment(external_user_id) + "/active",
		{
			"limit": limit,
			"offset": offset,
			"type": type,
			"after": after,
		})


## Create a room token, with the token provider of the project.
## body: roomId (required), userId (required), displayName, userData, minor, language, permissions.
func generate_project_token(body: Dictionary):
	return _call(
		"POST",
		"/api/projects/" + _segment(project_id) + "/token",
		{},
		body,
		[
			"roomId",
			"userId",
			"displayName",
			"userData",
			"minor",
			"language",
			"permissions",
		])


## Create a gathering with a join code of its own.
## body: name (required), description, type, maxMembers, accessPolicy, listed, startsAt, endsAt,
## timezone, roomId, autoStartSession, properties, searchProperties, ownerId, inviterName,
## inviterEmail, invitationUrl, participants.
func create_gathering(body: Dictionary):
	return _call(
		"POST",
		"/api/projects/" + _segment(project_id) + "/gatherings",
		{},
		body,
		[
			"name",
			"description",
			"type",
			"maxMembers",
			"accessPolicy",
			"listed",
			"startsAt",
			"endsAt",
			"timezone",
			"roomId",
			"autoStartSession",
			"properties",
			"searchProperties",
			"ownerId",
			"inviterName",
			"inviterEmail",
			"invitationUrl",
			"participants",
		],
		true)


## List or search gatherings, newest first.
## limit: Rows, up to 200.
## offset: Rows to skip.
## type: Type.
## status: pending, active, created, started, ended, cancelled, expired; case is ignored.
## listed: Only listed gatherings, or only unlisted ones.
## search_properties: JSON object: only gatherings whose searchProperties have all of these values.
## external_user_id: Only gatherings that this person is or was in.
## since: Only gatherings created at this time or later.
## until: Only gatherings created before this time.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func list_gatherings(
		limit = null,
		offset = null,
		type = null,
		status = null,
		listed = null,
		search_properties = null,
		external_user_id = null,
		since = null,
		until = null,
		after = null):
	return _call(
		"GET",
		"/api/projects/" + _segment(project_id) + "/gatherings",
		{
			"limit": limit,
			"offset": offset,
			"type": type,
			"status": status,
			"listed": listed,
			"searchProperties": search_properties,
			"externalUserId": external_user_id,
			"since": since,
			"until": until,
			"after": after,
		})


## Show a gathering.
## include_members: With its members.
func get_gathering(id, include_members = null):
	return _call(
		"GET",
		"/api/projects/" + _segment(project_id) + "/gatherings/" + _segment(id),
		{"includeMembers": include_members})


## Change the given fields of a gathering that is not over.
## body: name, description, type, maxMembers, accessPolicy, listed, startsAt, endsAt, timezone,
## roomId, autoStartSession, properties, searchProperties, ownerId, inviterName, inviterEmail,
## invitationUrl, participants.
func update_gathering(id, body: Dictionary):
	return _call(
		"PATCH",
		"/api/projects/" + _segment(project_id) + "/gatherings/" + _segment(id),
		{},
		body,
		[
			"name",
			"description",
			"type",
			"maxMembers",
			"accessPolicy",
			"listed",
			"startsAt",
			"endsAt",
			"timezone",
			"roomId",
			"autoStartSession",
			"properties",
			"searchProperties",
			"ownerId",
			"inviterName",
			"inviterEmail",
			"invitationUrl",
			"participants",
		])


## Cancel a gathering; open invitations are declined.
func delete_gathering(id):
	return _call(
		"DELETE",
		"/api/projects/" + _segment(project_id) + "/gatherings/" + _segment(id))


## Start a gathering; one that has started stays as it is.
## body: roomId.
func start_gathering(id, body := {}):
	return _call(
		"POST",
		"/api/projects/" + _segment(project_id) + "/gatherings/" + _segment(id) + "/start",
		{},
		body,
		[
			"roomId",
		],
		true)


## End a gathering; one that has ended stays as it is.
func end_gathering(id):
	return _call(
		"POST",
		"/api/projects/" + _segment(project_id) + "/gatherings/" + _segment(id) + "/end",
		{},
		null,
		[],
		true)


## Join a gathering by join code; members keep their seats.
## body: joinCode (required), participantId (required).
func join_gathering(body: Dictionary):
	return _call(
		"POST",
		"/api/projects/" + _segment(project_id) + "/gatherings/join",
		{},
		body,
		[
			"joinCode",
			"participantId",
		],
		true)


## Show the gathering of a join code without joining.
## participant_id: Who typed the code: unknown codes then count for them, not for the caller.
func lookup_gathering(join_code, participant_id = null):
	return _call(
		"GET",
		"/api/projects/" + _segment(project_id) + "/gatherings/lookup/" + _segment(join_code),
		{"participantId": participant_id})


## Give a participant a seat, whatever the access policy.
## body: participantId (required), role.
func add_gathering_member(id, body: Dictionary):
	return _call(
		"POST",
		"/api/projects/" + _segment(project_id) + "/gatherings/" + _segment(id) + "/members",
		{},
		body,
		[
			"participantId",
			"role",
		],
		true)


## List the members, longest-standing first, and the people invited.
## status: Only members with this status; those who left are shown by `left` alone.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func list_gathering_members(id, status = null, after = null):
	return _call(
		"GET",
		"/api/projects/" + _segment(project_id) + "/gatherings/" + _segment(id) + "/members",
		{"status": status, "after": after},
		null,
		[],
		false,
		{"is_whole": true})


## Set the ready mark, the status or the role of a member.
## body: ready, status, role.
func update_gathering_member(id, member_id, body: Dictionary):
	return _call(
		"PATCH",
		"/api/projects/" + _segment(project_id) + "/gatherings/" + _segment(id) + "/members/" + _segment(member_id),
		{},
		body,
		[
			"ready",
			"status",
			"role",
		])


## Move a member to a seat in another gathering, whatever its access policy.
## body: gatheringId (required).
func move_gathering_member(id, member_id, body: Dictionary):
	return _call(
		"POST",
		"/api/projects/" + _segment(project_id) + "/gatherings/" + _segment(id) + "/members/" + _segment(member_id) + "/move",
		{},
		body,
		[
			"gatheringId",
		],
		true)


## Remove a member; an owner hands over to the longest-standing member.
func remove_gathering_member(id, member_id):
	return _call(
		"DELETE",
		"/api/projects/" + _segment(project_id) + "/gatherings/" + _segment(id) + "/members/" + _segment(member_id))


## Invite participants, one invitation each; an open one is kept.
## body: participantIds (required), expiresAt.
func send_gathering_invitations(id, body: Dictionary):
	return _call(
		"POST",
		"/api/projects/" + _segment(project_id) + "/gatherings/" + _segment(id) + "/invite",
		{},
		body,
		[
			"participantIds",
			"expiresAt",
		],
		true)


## List the invitations to a gathering, newest first.
## status: Only these.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func list_gathering_invitations(id, status = null, after = null):
	return _call(
		"GET",
		"/api/projects/" + _segment(project_id) + "/gatherings/" + _segment(id) + "/invitations",
		{"status": status, "after": after},
		null,
		[],
		false,
		{"is_whole": true})


## List the open invitations of a participant, newest first.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func list_pending_invitations(participant_id, after = null):
	return _call(
		"GET",
		"/api/projects/" + _segment(project_id) + "/gatherings/invitations/pending",
		{"participantId": participant_id, "after": after},
		null,
		[],
		false,
		{"is_whole": true})


## Accept an invitation and take a seat.
## body: participantId (required).
func accept_gathering_invitation(invitation_id, body: Dictionary):
	return _call(
		"POST",
		"/api/projects/" + _segment(project_id) + "/gatherings/invitations/" + _segment(invitation_id) + "/accept",
		{},
		body,
		[
			"participantId",
		],
		true)


## Decline an invitation.
func decline_gathering_invitation(invitation_id):
	return _call(
		"POST",
		"/api/projects/" + _segment(project_id) + "/gatherings/invitations/" + _segment(invitation_id) + "/decline",
		{},
		null,
		[],
		true)


## Make a one-time ticket for a stream of the events of a project.
## body: ingested, types, resources, user, fields, partials, since, address.
func create_project_stream_ticket(body: Dictionary):
	return _call(
		"POST",
		"/api/projects/" + _segment(project_id) + "/events/stream-tickets",
		{},
		body,
		[
			"ingested",
			"types",
			"resources",
			"user",
			"fields",
			"partials",
			"since",
			"address",
		])


## Follows the events of the project. filters: types, resources, user, since.
func stream_project_events(filters := {}):
	return _open_stream("/api/projects/" + _segment(project_id) + "/events/stream", filters)


func _batch_path() -> String:
	return "/api/projects/" + _segment(project_id) + "/game-events"
