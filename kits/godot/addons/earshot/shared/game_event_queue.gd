## Sends game events in batches, each once. They wait in a file, so they outlive the game.

## So many events of a batch were accepted.
signal sent(amount)
## The daemon will never take this event: an unknown name, a property that is missing or wrong. It is dropped.
signal rejected(event, error)
## Events could not be sent for now; the queue tries again by itself.
signal delayed(error)

const BackOff = preload("back_off.gd")
const Call = preload("../engine/call.gd")
const EarshotError = preload("earshot_error.gd")
const EventFile = preload("event_file.gd")
const JsonText = preload("json_text.gd")
const Port = preload("../engine/port.gd")

## Of one event; a batch stays below the 4 MiB that the daemon takes.
const MAX_EVENT_LENGTH := 16384
## Refusals of a batch that speak of what is in it. An event that spoils its batch is found by halving it.
const ABOUT_EVENTS = ["malformed_json", "text_not_allowed", "body_too_large"]

var flush_interval_ms := 0
var max_batch := 0
var max_waiting := 0
## Events of this run that found the queue full.
var dropped := 0
## For the other scripts of the addon.
var client

var _file := EventFile.new()
var _batch_size := 0
var _sending = null
var _sent_size := 0
## True if further events waited when the batch was sent.
var _has_more := false
var _due_ms := 0
var _attempt := 0
var _flushes := []


## For the client: opens the file of a player. The events of the one before stay in theirs.
func open(path: String) -> void:
	_sending = null
	_attempt = 0
	_due_ms = 0
	_complete_flushes(EarshotError.new().setup("cancelled", "Another queue was opened. The events still wait."))
	_file.open(path)
	_batch_size = max_batch


## Adds an event, for example "kill-enemy" with {"amount": 1}; `more` has further fields: team_id, session_id, event_type,
## and on a server user_id. Returns null, or the error that refuses the event.
func enqueue(event_name: String, properties := {}, more := {}):
	if not client.address.has("host"):
		return EarshotError.new().setup("address_invalid", "Call configure first.")
	var event := {"event_name": event_name, "meta_data": properties, "occurred_at": Port.utc_time()}
	for field in more:
		event[field] = more[field]
	if _file.size() >= max_waiting:
		dropped += 1
		return EarshotError.new().setup("queue_full", "%d events wait already; the daemon takes none." % max_waiting)
	var text: String = JsonText.of(event)
	if text.length() > MAX_EVENT_LENGTH:
		return EarshotError.new().setup("game_event_invalid", "The event is longer than 16 KiB.")
	if JsonText.whole(text) != text:
		event = Port.read_json(JsonText.whole(text))["value"]
	if _file.size() == 0 and _sending == null:
		_due_ms = Port.now_ms() + flush_interval_ms
	_file.push(event)
	return null


## Number of events that the daemon has not acknowledged yet.
func waiting() -> int:
	return _file.size()


## True once the disk took no event: further ones wait in memory, and are lost with the game.
func is_in_memory() -> bool:
	return _file.is_in_memory


## Sends what waits now. Completes when nothing waits any more, or with the error that delays it.
func flush():
	var call = Call.new()
	if not client.address.has("host"):
		call.call_deferred("fail", EarshotError.new().setup("address_invalid", "Call configure first."))
		return call
	_flushes.append(call)
	_due_ms = 0
	return call


## For the client.
func poll() -> void:
	_file.poll()
	for call in _flushes.duplicate():
		if call.is_cancelled:
			_flushes.erase(call)
			call.fail(EarshotError.new().setup("cancelled", "The call was cancelled. The events still wait."))
	if _sending != null:
		if _sending.is_completed:
			_read_answer(_sending)
	elif _file.size() == 0:
		_complete_flushes(null)
	elif Port.now_ms() >= _due_ms or (_file.size() >= max_batch and _attempt == 0):
		var batch: Dictionary = _file.batch(_batch_size)
		_sent_size = batch["events"].size()
		_has_more = _file.size() > _sent_size
		_sending = client.send_batch(batch)


func _read_answer(call) -> void:
	_sending = null
	var problem = call.error if not call.ok else _first_passing(call.data)
	if problem == null:
		_batch_size = max_batch
		_report(call.data["results"])
	elif _sent_size > 1 and (_is_about_events(problem) or problem.status == 413):
		_batch_size = int(floor(_sent_size / 2.0))
		_due_ms = 0
	elif _is_about_events(problem):
		_report([{"code": problem.code, "message": problem.message, "status": problem.status, "details": problem.details}])
	else:
		_due_ms = Port.now_ms() + BackOff.wait_ms(_attempt, problem.retry_after_seconds)
		_attempt += 1
		emit_signal("delayed", problem)
		_complete_flushes(problem)


## What a proxy says, or the daemon of the credential or the project, is no fault of the events: they wait.
func _is_about_events(problem) -> bool:
	if not problem.is_from_daemon:
		return false
	if problem.code == "validation_failed":
		for detail in problem.details:
			if str(detail.get("path", "")).begins_with("body"):
				return true
	return ABOUT_EVENTS.has(problem.code)


## An event that may be accepted later keeps its whole batch: the accepted ones are known by their key.
func _first_passing(answer):
	var results = answer.get("results") if typeof(answer) == TYPE_DICTIONARY else null
	if typeof(results) != TYPE_ARRAY or results.size() != _sent_size:
		return _no_results()
	for result in results:
		if typeof(result) != TYPE_DICTIONARY or not result.has("status"):
			return _no_results()
		var problem = _problem_of(result)
		if problem != null and problem.is_passing:
			return problem
	return null


func _no_results():
	return EarshotError.new().setup("not_earshot", "The answer has not one result for each event.")


func _report(results: Array) -> void:
	_attempt = 0
	_due_ms = Port.now_ms() + (0 if _has_more or _flushes.size() > 0 else flush_interval_ms)
	var events: Array = _file.batch(_sent_size)["events"]
	_file.drop(_sent_size)
	var accepted := 0
	for index in range(_sent_size):
		var refusal = _problem_of(results[index])
		if refusal == null:
			accepted += 1
		else:
			emit_signal("rejected", events[index], refusal)
	emit_signal("sent", accepted)


func _problem_of(result: Dictionary):
	if int(result["status"]) == 200:
		return null
	var problem = EarshotError.new().setup(str(result.get("code")), str(result.get("message")), int(result["status"]))
	problem.details = result.get("details", [])
	return problem


func _complete_flushes(problem) -> void:
	var flushes := _flushes
	_flushes = []
	for call in flushes:
		if problem == null:
			call.succeed(null)
		else:
			call.fail(problem)
