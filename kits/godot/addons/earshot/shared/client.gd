extends Node
## What the clients of players and of game servers share: settings, credentials, calls, game events and streams.

## The token is missing or was refused. Get one from your server, and call `set_token`. Calls wait for it for 30 s.
signal token_needed

const Call = preload("../engine/call.gd")
const EarshotError = preload("earshot_error.gd")
const EventStream = preload("event_stream.gd")
const GameEventQueue = preload("game_event_queue.gd")
const HttpExchange = preload("http_exchange.gd")
const JsonText = preload("json_text.gd")
const Port = preload("../engine/port.gd")
const RequestJob = preload("request_job.gd")

const MAX_OPEN_CALLS := 128
const MAX_CONNECTIONS := 6
const MAX_STREAMS := 8
const TOKEN_INTERVAL_MS := 10000
const DEFAULTS = {
	"base_url": "",
	"project_id": "",
	"user_id": "",
	"language": "en",
	"timeout_ms": 15000,
	"attempts": 4,
	"longest_wait_ms": 30000,
}
const QUEUE_DEFAULTS = {"flush_interval_ms": 2000, "max_batch": 100, "max_waiting": 10000}
const OTHER_OPTIONS = ["token", "api_key", "queue_path"]

## The options, as `configure` has set them.
var base_url := ""
var project_id := ""
var user_id := ""
var language := ""
var timeout_ms := 0
var attempts := 0
var longest_wait_ms := 0
## The queue of game events.
var events := GameEventQueue.new()
## For the other scripts of the addon.
var address := {}
var credential := ""
var uses_token := true

var _jobs := []
var _streams := []
var _token_asked_ms := -TOKEN_INTERVAL_MS


func _init():
	randomize()
	events.client = self
	Port.keep_running(self)


func _process(_delta: float) -> void:
	if address.has("host"):
		events.poll()
	for job in _jobs.duplicate():
		job.poll()
	for index in range(_jobs.size() - 1, -1, -1):
		if _jobs[index].is_done:
			_jobs.erase(_jobs[index])
	for stream in _streams.duplicate():
		stream.poll()
		if stream.is_closed:
			_streams.erase(stream)


## Sets `base_url` and `project_id`, `token` or `api_key`, and what else differs from the defaults: `user_id` (of the player),
## `language`, `timeout_ms` of one try, `attempts` of one call, `longest_wait_ms` that the daemon may ask for, and of the
## queue of events `queue_path`, `flush_interval_ms`, `max_batch`, `max_waiting`. Returns null, or the error. Called again, for
## another player, it ends the calls and streams of the one before.
func configure(options: Dictionary):
	for name in options:
		if not (DEFAULTS.has(name) or QUEUE_DEFAULTS.has(name) or OTHER_OPTIONS.has(name)):
			return EarshotError.new().setup("unknown_field", "There is no option %s." % name)
	address = HttpExchange.parse_address(str(options.get("base_url", "")))
	if not address.has("host"):
		return EarshotError.new().setup("address_invalid", "base_url must be like https://earshot.example.com.")
	for job in _jobs:
		job.call.cancel()
	for stream in _streams:
		stream.close()
	for name in DEFAULTS:
		set(name, options.get(name, DEFAULTS[name]))
	uses_token = not options.has("api_key")
	credential = str(options.get("token" if uses_token else "api_key", "")).strip_edges()
	for name in QUEUE_DEFAULTS:
		events.set(name, options.get(name, QUEUE_DEFAULTS[name]))
	events.open(options.get("queue_path", _queue_path()))
	return null


## Takes the token that `token_needed` asked for.
func set_token(token: String) -> void:
	credential = token.strip_edges()
	_token_asked_ms = -TOKEN_INTERVAL_MS


## For the other scripts of the addon.
func needs_token() -> bool:
	return uses_token and credential == ""


## Emits `token_needed`, every 10 s at most. Returns false if nothing is connected to it.
func ask_for_token() -> bool:
	if get_signal_connection_list("token_needed").size() == 0:
		return false
	if Port.now_ms() - _token_asked_ms >= TOKEN_INTERVAL_MS:
		_token_asked_ms = Port.now_ms()
		emit_signal("token_needed")
	return true


## Forgets a refused token, unless another one has come since.
func drop_token(refused: String) -> void:
	if credential == refused:
		credential = ""


func credential_headers() -> Array:
	if credential == "":
		return []
	return ["Authorization: Bearer " + credential] if uses_token else ["X-API-Key: " + credential]


func may_open_connection() -> bool:
	var running := 0
	for job in _jobs:
		if job.is_running():
			running += 1
	return running < MAX_CONNECTIONS


func with_query(path: String, query: Dictionary) -> String:
	var pairs := ""
	for name in query:
		if query[name] != null:
			pairs += ("?" if pairs == "" else "&") + Port.uri_encode(name) + "=" + Port.uri_encode(_text(query[name]))
	return path + pairs


## Sends a batch of events once; the queue decides about a repeat.
func send_batch(batch: Dictionary):
	var text: String = JsonText.of({"events": batch["events"], "sent_at": Port.utc_time()})
	return _request("POST", _batch_path(), text, ["Idempotency-Key: " + batch["key"]], 1, {})


func _batch_path() -> String:
	return ""


## The operations of the generated scripts come here. `fields` are the names that the body may have.
func _call(method: String, path: String, query := {}, body = null, fields := [], has_key := false, more := {}):
	if typeof(body) == TYPE_DICTIONARY:
		for field in body:
			if not fields.has(field):
				return _refuse("unknown_field", "The body has no field %s, but: %s." % [field, fields])
	for part in path.substr(1).split("/"):
		# What HTTP clients fold out of a path; the request would reach what stands above.
		if part.to_lower().replace("%252e", ".") in ["", ".", ".."]:
			return _refuse("id_invalid", "An id is missing, or is . or ..: %s" % path)
	var headers := []
	if has_key:
		headers.append("Idempotency-Key: " + Port.random_hex(16))
	var text: String = JsonText.whole(JsonText.of(body)) if body != null else ""
	return _request(method, with_query(path, query), text, headers, attempts, more)


func _request(method: String, path: String, body: String, headers: Array, attempts: int, more: Dictionary):
	if not address.has("host"):
		return _refuse("address_invalid", "Call configure first.")
	if _jobs.size() >= MAX_OPEN_CALLS:
		return _refuse("too_many_calls", "%d calls wait already." % _jobs.size())
	var job = RequestJob.new()
	job.call = Call.new()
	job.client = self
	job.max_attempts = attempts
	job.more = more
	job.request = {
		"method": method,
		"path": path,
		"headers": headers + (["Content-Type: application/json"] if body != "" else []),
		"body": body,
	}
	_jobs.append(job)
	return job.call


func _refuse(code: String, message: String):
	var call = Call.new()
	call.call_deferred("fail", EarshotError.new().setup(code, message))
	return call


func _open_stream(path: String, query := {}, room_token := ""):
	var stream = EventStream.new()
	stream.client = self
	stream.path = path
	stream.query = query
	stream.room_token = room_token
	if _streams.size() < MAX_STREAMS:
		_streams.append(stream)
	else:
		stream.call_deferred("_end", EarshotError.new().setup("too_many_calls", "%d streams are open." % MAX_STREAMS))
	return stream


func _segment(value) -> String:
	return Port.uri_encode(_text(value))


func _text(value) -> String:
	return str(value).to_lower() if typeof(value) == TYPE_BOOL else str(value)


## Events of one player are never sent with the token of another.
func _queue_path() -> String:
	return "user://earshot/events-%s.jsonl" % (project_id + "/" + user_id).sha256_text().substr(0, 16)
