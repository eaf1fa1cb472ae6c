## Follows events without losing any: connects again by itself, and continues after the last event that it has emitted.

## The daemon accepted the stream.
signal connected
## An event, in the form of docs/events.md.
signal event_received(event)
## The daemon does not keep the events after the last one any more; a dictionary with `lastEventId` and `oldestId`.
signal gap(missing)
## The connection was lost, and is made again after this time.
signal lost(error, retry_in_ms)
## The stream is over: the daemon refused it for good, or sent what cannot be read. null: `close` was called.
signal closed(error)
## Get the `url` of a stream ticket from your server, and call `set_ticket_url`. It is emitted before each connection.
signal ticket_needed

const BackOff = preload("back_off.gd")
const EarshotError = preload("earshot_error.gd")
const HttpExchange = preload("http_exchange.gd")
const Port = preload("../engine/port.gd")
const SseParser = preload("sse_parser.gd")

## The daemon sends the head of a stream at once, and a comment every 15 s.
const HEAD_MS := 20000
const SILENCE_MS := 45000
## After a connection that lasted this long the waiting times start again.
const STEADY_MS := 10000

var client
## Path without its query; empty: the address comes from tickets.
var path := ""
## Credential of the stream of a room, whose connections begin with the state of the room; empty: that of the client.
var room_token := ""
## Filters: `types`, `resources`, `user`, `since`.
var query := {}
var last_event_id := ""
var is_closed := false

var _exchange = null
var _parser = null
var _is_connected := false
var _attempt := 0
var _due_ms := 0
var _began_ms := 0
var _ticket_path := ""
var _ticket_asked_ms := -HEAD_MS
var _token_used := ""
var _token_refused := false


## Ends the stream.
func close() -> void:
	_end(null)


## Takes the address of a stream ticket, which opens one stream once.
func set_ticket_url(url: String) -> void:
	var begin := url.find("/api/")
	_ticket_path = url.substr(begin, url.length()) if begin >= 0 else ""


func poll() -> void:
	if is_closed:
		return
	if _exchange == null:
		if Port.now_ms() >= _due_ms:
			_begin()
		return
	_exchange.poll()
	if _exchange.status == 200:
		_read()
	if not is_closed and _exchange != null and _exchange.is_done:
		_read_end()


func _begin() -> void:
	var target := _target()
	if target == "":
		return
	_began_ms = Port.now_ms()
	_is_connected = false
	_parser = SseParser.new()
	_exchange = HttpExchange.new()
	var headers := ["Accept: text/event-stream"]
	if room_token != "":
		headers.append("Authorization: Bearer " + room_token)
	elif path != "":
		_token_used = client.credential
		headers += client.credential_headers()
	if last_event_id != "":
		headers.append("Last-Event-ID: " + last_event_id)
	var request := {"method": "GET", "path": target, "headers": headers, "body": ""}
	_exchange.start(client.address, request, HEAD_MS, SILENCE_MS)


## Returns the path to request; empty: a ticket or a token has to come first.
func _target() -> String:
	if path == "":
		var ticket := _ticket_path
		_ticket_path = ""
		if ticket == "" and Port.now_ms() - _ticket_asked_ms >= HEAD_MS:
			_ticket_asked_ms = Port.now_ms()
			emit_signal("ticket_needed")
		return ticket
	if room_token == "" and client.needs_token():
		if not client.ask_for_token():
			_end(EarshotError.new().setup("token_missing", "There is no token, and nobody to ask for one."))
		return ""
	return client.with_query(path, query)


func _read() -> void:
	if not _is_connected:
		_is_connected = true
		_token_refused = false
		if last_event_id == "" and not query.has("since") and room_token == "":
			last_event_id = _exchange.headers.get("last-event-id", "")
		emit_signal("connected")
	for frame in _parser.feed(_exchange.take()):
		if is_closed or _exchange == null:
			return
		_read_frame(frame)
	if not is_closed and _parser.is_too_long:
		_end(EarshotError.new().setup("unreadable_stream", "An event is longer than 4 MiB."))


func _read_frame(frame: Dictionary) -> void:
	var json: Dictionary = Port.read_json(frame["data"])
	if typeof(json.get("value")) != TYPE_DICTIONARY:
		_end(EarshotError.new().setup("unreadable_stream", "An event is not a JSON object."))
		return
	var value: Dictionary = json["value"]
	match frame["event"]:
		"stream.gap":
			emit_signal("gap", value)
		"stream.closed":
			_exchange.abort()
			_lose(EarshotError.new().setup("unreachable", str(value.get("message", "The daemon ended the stream."))))
		_:
			_attempt = 0
			if room_token == "":
				last_event_id = str(value.get("id", last_event_id))
			emit_signal("event_received", value)
			if room_token != "":
				_end_with_room(value)


## The stream of a room is over when the person is removed or the room closed, unless they may come back at once.
func _end_with_room(event: Dictionary) -> void:
	var is_removed: bool = event.get("type") == "room.removed" and event.get("resourceId") == null
	if (is_removed or event.get("type") == "room.closed") and event.get("rejoin") != true:
		close()


func _read_end() -> void:
	var exchange = _exchange
	if exchange.failure != "":
		_lose(EarshotError.new().setup(exchange.failure, exchange.failure_message))
	elif exchange.status == 200:
		_lose(EarshotError.new().setup("unreachable", "The daemon closed the stream."))
	else:
		var body = Port.read_json(exchange.body.get_string_from_utf8()).get("value")
		var problem = EarshotError.new().read(exchange.status, exchange.headers, body)
		if problem.is_about_credential and path == "":
			_lose(problem) # the ticket was too old: the next one may not be
		elif problem.is_about_credential and room_token == "" and client.uses_token and not _token_refused:
			_token_refused = true
			_exchange = null
			client.drop_token(_token_used)
		elif problem.is_passing:
			_lose(problem)
		else:
			_end(problem)


func _lose(problem) -> void:
	_exchange = null
	if _is_connected and Port.now_ms() - _began_ms > STEADY_MS:
		_attempt = 0
	var wait := BackOff.wait_ms(_attempt, problem.retry_after_seconds)
	_attempt += 1
	_due_ms = Port.now_ms() + wait
	_ticket_asked_ms = -HEAD_MS
	emit_signal("lost", problem, wait)


func _end(problem) -> void:
	if is_closed:
		return
	is_closed = true
	if _exchange != null:
		_exchange.abort()
		_exchange = null
	emit_signal("closed", problem)
