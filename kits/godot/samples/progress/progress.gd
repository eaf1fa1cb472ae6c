extends Node
## A player's evening: their challenges, what they do in the game, and their neighbours on the first leaderboard.

const BASE_URL := "http://127.0.0.1:8080"
const PROJECT_ID := "PROJECT"
const USER_ID := "player-42"
## Your server, which knows who signed in and makes the token.
const TOKEN_URL := "http://127.0.0.1:3000/token"


func _ready():
	Earshot.token_needed.connect(_fetch_token)
	Earshot.configure({"base_url": BASE_URL, "project_id": PROJECT_ID, "user_id": USER_ID})
	Earshot.events.rejected.connect(_on_rejected)

	var list = await Earshot.get_personal_challenges().wait()
	if not list.ok:
		print("Earshot: %s (%s)" % [list.error.message, list.error.code])
		return
	for category in list.data:
		for challenge in category["challenges"]:
			await _begin(challenge)

	Earshot.events.enqueue("kill-enemy", {"amount": 2})
	Earshot.events.enqueue("kill-enemy", {"amount": 1})
	await Earshot.events.flush().wait() # a game leaves that to the queue: it sends every 2 s

	list = await Earshot.get_all_personal_challenges().wait()
	for category in list.data:
		for challenge in category["challenges"]:
			_show(challenge)
			if challenge["type"] == "unclaimed":
				await _claim(challenge)
	var boards = await Earshot.get_leaderboards().wait()
	var board = await Earshot.get_leaderboard_around_me(boards.data[0]["leaderboard_id"], 2).wait()
	for row in board.data["around"]:
		print("%d. %s: %d" % [row["rank"], row["member_id"], row["score"]])
	print("Done.")


func _begin(challenge: Dictionary):
	await Earshot.unlock_personal_challenge(challenge["challenge_id"]).wait()
	var action = await Earshot.activate_personal_challenge(challenge["challenge_id"]).wait()
	print("%s: %s" % [challenge["challenge_name"], "begun" if action.ok else action.error.code])


func _show(challenge: Dictionary):
	var score = challenge["user_challenge_current_score"]
	print("%s: %d of %d" % [challenge["challenge_name"], score, challenge["challenge_goal"]])


func _claim(challenge: Dictionary):
	var action = await Earshot.claim_personal_challenge_reward(challenge["challenge_id"]).wait()
	print("Reward: %s" % action.data["challenge"]["challenge_reward"])


func _fetch_token():
	var request = HTTPRequest.new()
	add_child(request)
	request.request(TOKEN_URL)
	var answer = await request.request_completed
	request.queue_free()
	if answer[1] == 200:
		Earshot.set_token(answer[3].get_string_from_utf8())


func _on_rejected(event, error):
	print("Rejected: %s (%s)" % [event["event_name"], error.code])
