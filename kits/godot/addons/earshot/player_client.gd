extends "shared/client.gd"
## Earshot as one player sees it. Runs in the game, with a player token that your server makes.
## Written by `npm run kits:godot` from src/contract. Do not edit.


## Show the player what holds against them, why, and until when.
func get_my_standing():
	return _call(
		"GET",
		"/api/v1/me/standing",
		{"language": language})


## Appeal against a sanction as the sanctioned player.
## body: statement (required).
func appeal_my_sanction(id, body: Dictionary):
	return _call(
		"POST",
		"/api/v1/me/standing/" + _segment(id) + "/appeal",
		{"language": language},
		body,
		[
			"statement",
		],
		true)


## Complain about the decision on one of your own reports.
## body: statement (required).
func complain_as_player(id, body: Dictionary):
	return _call(
		"POST",
		"/api/v1/reports/" + _segment(id) + "/complaint",
		{},
		body,
		[
			"statement",
		],
		true)


## Report a person or a room.
## body: roomId, externalUserId, category (required), words, language, evidence.
func report_as_player(body: Dictionary):
	return _call(
		"POST",
		"/api/v1/reports",
		{},
		body,
		[
			"roomId",
			"externalUserId",
			"category",
			"words",
			"language",
			"evidence",
		],
		true)


## List your own reports with what came of them, newest first.
## limit: Rows, up to 200.
## offset: Rows to skip.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func list_own_reports(limit = null, offset = null, after = null):
	return _call(
		"GET",
		"/api/v1/reports",
		{"limit": limit, "offset": offset, "after": after})


## Show one of your own reports with what came of it.
func get_own_report(id):
	return _call(
		"GET",
		"/api/v1/reports/" + _segment(id))


## Block a person: you hear them no more.
## body: blockedUserId (required).
func block_as_player(body: Dictionary):
	return _call(
		"POST",
		"/api/v1/blocks",
		{},
		body,
		[
			"blockedUserId",
		],
		true)


## List whom you block, newest first.
## limit: Rows, up to 200.
## offset: Rows to skip.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func list_own_blocks(limit = null, offset = null, after = null):
	return _call(
		"GET",
		"/api/v1/blocks",
		{"limit": limit, "offset": offset, "after": after})


## End a block: you hear the person again.
func unblock_as_player(blocked_user_id):
	return _call(
		"DELETE",
		"/api/v1/blocks/" + _segment(blocked_user_id))


## Show the display name and avatar of the player.
func get_user_info():
	return _call(
		"GET",
		"/api/v1/auth/user-additional-info")


## Set the display name and avatar of the player.
## body: username, avatarImage.
func set_user_info(body: Dictionary):
	return _call(
		"PUT",
		"/api/v1/auth/user-additional-info",
		{},
		body,
		[
			"username",
			"avatarImage",
		])


## Get the topic on which every challenge of the player is announced.
func get_user_challenges_notification_topic():
	return _call(
		"GET",
		"/api/v1/auth/user-challenges-topic-link")


## Get the topic on which one challenge of the player is announced.
func get_user_challenge_notification_topic(challenge_id):
	return _call(
		"GET",
		"/api/v1/auth/user-challenge-topic-link",
		{"challenge_id": challenge_id})


## Submit up to 1000 game events; each gets its own result.
## body: events (required), sent_at.
func send_events(body: Dictionary):
	return _call(
		"POST",
		"/api/v1/events/batch",
		{"auth": "access_token"},
		body,
		[
			"events",
			"sent_at",
		],
		true)


## List the challenges that the player has not finished, by category.
## include_categories: Ids or slugs, comma-separated; empty: all.
## exclude_categories: Ids or slugs, comma-separated.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func get_personal_challenges(include_categories = null, exclude_categories = null, after = null):
	return _call(
		"GET",
		"/api/v1/challenges/personal/get/" + _segment(project_id),
		{
			"language": language,
			"include_categories": include_categories,
			"exclude_categories": exclude_categories,
			"after": after,
		},
		null,
		[],
		false,
		{"is_whole": true})


## List every challenge, completed ones included, by category.
## include_categories: Ids or slugs, comma-separated; empty: all.
## exclude_categories: Ids or slugs, comma-separated.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func get_all_personal_challenges(include_categories = null, exclude_categories = null, after = null):
	return _call(
		"GET",
		"/api/v1/challenges/personal/all/" + _segment(project_id),
		{
			"language": language,
			"include_categories": include_categories,
			"exclude_categories": exclude_categories,
			"after": after,
		},
		null,
		[],
		false,
		{"is_whole": true})


## List the challenges that are counting now, by category.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func get_active_personal_challenges(after = null):
	return _call(
		"GET",
		"/api/v1/challenges/personal/get-in-progress-challenges/" + _segment(project_id),
		{"language": language, "after": after},
		null,
		[],
		false,
		{"is_whole": true})


## Show a challenge of the player.
func get_personal_challenge_by_id(challenge_id):
	return _call(
		"GET",
		"/api/v1/challenges/personal/get/" + _segment(project_id) + "/" + _segment(challenge_id),
		{"language": language})


## Unlock a challenge for the player.
func unlock_personal_challenge(challenge_id):
	return _call(
		"POST",
		"/api/v1/challenges/personal/unlock/" + _segment(project_id) + "/" + _segment(challenge_id),
		{"language": language},
		null,
		[],
		true)


## Activate an unlocked challenge, so that events count.
func activate_personal_challenge(challenge_id):
	return _call(
		"PUT",
		"/api/v1/challenges/personal/activate/" + _segment(project_id) + "/" + _segment(challenge_id),
		{"language": language},
		null,
		[],
		false,
		{"path": "/api/v1/challenges/personal/get/" + _segment(project_id) + "/" + _segment(challenge_id),
			"states": ["in-progress"]})


## Give up a challenge; it can be unlocked again.
func cancel_personal_challenge(challenge_id):
	return _call(
		"PUT",
		"/api/v1/challenges/personal/cancel/" + _segment(project_id) + "/" + _segment(challenge_id),
		{"language": language},
		null,
		[],
		false,
		{"path": "/api/v1/challenges/personal/get/" + _segment(project_id) + "/" + _segment(challenge_id),
			"states": ["unlock"]})


## Claim the reward of a completed challenge.
func claim_personal_challenge_reward(challenge_id):
	return _call(
		"PUT",
		"/api/v1/challenges/personal/claim/" + _segment(project_id) + "/" + _segment(challenge_id),
		{"language": language},
		null,
		[],
		false,
		{"path": "/api/v1/challenges/personal/get/" + _segment(project_id) + "/" + _segment(challenge_id),
			"states": ["finished","unlock"]})


## List the battle passes of the app, by priority.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func get_battle_passes(after = null):
	return _call(
		"GET",
		"/api/v1/battle-passes/" + _segment(project_id),
		{"language": language, "after": after},
		null,
		[],
		false,
		{"is_whole": true})


## List the battle passes that are running now.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func get_active_battle_passes(after = null):
	return _call(
		"GET",
		"/api/v1/battle-passes/" + _segment(project_id) + "/active",
		{"language": language, "after": after},
		null,
		[],
		false,
		{"is_whole": true})


## List the battle passes that the player has unlocked.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func get_unlocked_battle_passes(after = null):
	return _call(
		"GET",
		"/api/v1/battle-passes/" + _segment(project_id) + "/unlocked",
		{"language": language, "after": after},
		null,
		[],
		false,
		{"is_whole": true})


## Show a battle pass to the player.
func get_battle_pass(battle_pass_id):
	return _call(
		"GET",
		"/api/v1/battle-passes/" + _segment(project_id) + "/single/" + _segment(battle_pass_id),
		{"language": language})


## Unlock a battle pass for the player, even before it starts.
## body: purchase_price, purchase_currency.
func unlock_battle_pass(battle_pass_id, body := {}):
	return _call(
		"POST",
		"/api/v1/battle-passes/" + _segment(project_id) + "/unlock/" + _segment(battle_pass_id),
		{"language": language},
		body,
		[
			"purchase_price",
			"purchase_currency",
		],
		true)


## List the levels of every battle pass, with the player's progress.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func get_all_battle_pass_levels(after = null):
	return _call(
		"GET",
		"/api/v1/battle-pass-levels/" + _segment(project_id),
		{"language": language, "after": after},
		null,
		[],
		false,
		{"is_whole": true})


## List the levels of a battle pass, with the player's progress.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func get_battle_pass_levels(battle_pass_id, after = null):
	return _call(
		"GET",
		"/api/v1/battle-pass-levels/" + _segment(project_id) + "/" + _segment(battle_pass_id),
		{"language": language, "after": after},
		null,
		[],
		false,
		{"is_whole": true})


## Activate a level, or restart those of its challenges whose time has run out.
func activate_battle_pass_level(level_id):
	return _call(
		"POST",
		"/api/v1/battle-pass-levels/" + _segment(project_id) + "/activate/" + _segment(level_id),
		{"language": language},
		null,
		[],
		true)


## Claim the reward of a completed level, even after the pass has ended.
func claim_battle_pass_level_reward(level_id):
	return _call(
		"POST",
		"/api/v1/battle-pass-levels/" + _segment(project_id) + "/claim/" + _segment(level_id),
		{"language": language},
		null,
		[],
		true)


## Get the topic on which a battle pass of the player is announced.
func get_user_battle_pass_notification_topic(battle_pass_id):
	return _call(
		"GET",
		"/api/v1/auth/user-battle-pass-topic-link",
		{"battle_pass_id": battle_pass_id})


## List the leaderboards, each with its first members.
## current_page: Page, from 1.
## page_size: Elements per page.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func get_leaderboards(current_page = null, page_size = null, after = null):
	return _call(
		"GET",
		"/api/v1/leaderboards",
		{
			"language": language,
			"currentPage": current_page,
			"pageSize": page_size,
			"after": after,
		},
		null,
		[],
		false,
		{"is_whole": true})


## Show a page of the ranking of a leaderboard.
## current_page: Page, from 1.
## page_size: Elements per page.
## period_id: An earlier period; default: the current one.
func get_leaderboard(leaderboard_id, current_page = null, page_size = null, period_id = null):
	return _call(
		"GET",
		"/api/v1/leaderboards/" + _segment(leaderboard_id),
		{
			"language": language,
			"currentPage": current_page,
			"pageSize": page_size,
			"period_id": period_id,
		})


## List the periods of a leaderboard, newest first; the first one says when the board is reset.
## limit: Rows, up to 200.
## offset: Rows to skip.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func get_leaderboard_periods(leaderboard_id, limit = null, offset = null, after = null):
	return _call(
		"GET",
		"/api/v1/leaderboards/" + _segment(leaderboard_id) + "/periods",
		{"limit": limit, "offset": offset, "after": after})


## Show the rank of a user or a team on every leaderboard.
## after: Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link.
## No row is repeated or left out when others come and go.
func get_leaderboard_rankings(member_type, member_id, after = null):
	return _call(
		"GET",
		"/api/v1/leaderboards-members/" + _segment(member_type) + "/" + _segment(member_id),
		{"language": language, "after": after},
		null,
		[],
		false,
		{"is_whole": true})


## Show the rank of a user or a team on a leaderboard.
## around: Number of neighbours to include on each side.
func get_leaderboard_ranking(member_type, member_id, leaderboard_id, around = null):
	return _call(
		"GET",
		"/api/v1/leaderboards-members/" + _segment(member_type) + "/" + _segment(member_id) + "/" + _segment(leaderboard_id),
		{"language": language, "around": around})


## Get the topic on which changes of a ranking are announced.
func get_leaderboard_notification_topic(leaderboard_id):
	return _call(
		"GET",
		"/api/v1/auth/leaderboard-topic-link",
		{"leaderboard_id": leaderboard_id})


## Shows the rank of this player on a leaderboard, with so many neighbours on each side. Needs the option user_id.
func get_leaderboard_around_me(leaderboard_id, around := 5):
	return get_leaderboard_ranking("user", user_id, leaderboard_id, around)


## Follows events by stream tickets, which your server makes: connect ticket_needed.
func stream_by_ticket():
	return _open_stream("")


## Follows the events of a voice room (docs/voice.md) with the token by which the player joins it. It begins with room.state.
func stream_room_events(room_id, room_token: String):
	return _open_stream("/rooms/" + _segment(room_id) + "/events", {}, room_token)


func _batch_path() -> String:
	return "/api/v1/events/batch" + "?auth=access_token"
