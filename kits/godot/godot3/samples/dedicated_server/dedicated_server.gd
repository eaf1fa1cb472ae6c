extends Node
## A dedicated server: opens a lobby, lets in who is not banned, counts for players, and hears of sanctions as they come.

const ServerClient = preload("res://addons/earshot/server_client.gd")

const BASE_URL := "http://127.0.0.1:8080"
const PROJECT_ID := "PROJECT"
## In a real server: OS.get_environment("EARSHOT_API_KEY"). Never put it into the game that players have.
const API_KEY := "KEY"

var server = ServerClient.new()
var gathering = {}


func _ready():
	add_child(server)
	server.configure({"base_url": BASE_URL, "project_id": PROJECT_ID, "api_key": API_KEY})
	var stream = server.stream_project_events({"types": "sanction.*"})
	stream.connect("event_received", self, "_on_event")
	yield(stream, "connected")

	var lobby = yield(server.create_gathering({"name": "Friday raid", "maxMembers": 4}).wait(), "completed")
	gathering = lobby.data
	print("Join code: %s" % gathering["joinCode"])
	for user_id in ["ann", "bob"]:
		yield(_let_in(user_id), "completed")
	yield(server.events.flush().wait(), "completed")
	print("Ready.")


func _let_in(user_id: String):
	var standing = yield(server.list_active_user_sanctions(user_id).wait(), "completed")
	for sanction in standing.data:
		if sanction["type"] in ["temp_ban", "perm_ban"]:
			print("%s stays out: %s" % [user_id, sanction["reason"]])
			return
	var person = yield(server.create_participant({"externalUserId": user_id}).wait(), "completed")
	var body = {"joinCode": gathering["joinCode"], "participantId": person.data["id"]}
	var joined = yield(server.join_gathering(body).wait(), "completed")
	print("%s: %s" % [user_id, "in" if joined.ok else joined.error.code])
	server.events.enqueue("match-start", {}, {"user_id": user_id})


func _on_event(event):
	print("%s: %s" % [event["type"], event["payload"]["data"]["externalUserId"]])
