## Game events that wait to be sent, oldest first, in memory and in a file: a line of JSON each.
##
## The id of an event is its idempotency key, so it counts once however often and in whichever batches it is sent. Each run
## of the game has a file of its own. What other runs have left is taken over at the start and sent too; a file that nobody
## has written for a minute belongs to no running game, and is deleted once its events are in this one's.

const JsonText = preload("json_text.gd")
const Port = preload("../engine/port.gd")

## A running game writes its file this often while events wait.
const BEAT_MS := 15000
const ABANDONED_SECONDS := 60

## True once the disk did not take the events: they are lost with the game.
var is_in_memory := false

var _base := ""
var _path := ""
var _entries := []
## The lines of the entries.
var _lines := []
## Ids of events from other files.
var _taken_over := {}
var _beat_ms := 0


## Reads what earlier runs left. A line that a crash cut is dropped. `path` ends in .jsonl; the files have a name after its own.
func open(path: String) -> void:
	var own_before := _path
	_base = path.get_basename()
	_path = _base + ".run-" + Port.random_hex(8) + ".jsonl"
	_entries = []
	_lines = []
	_taken_over = {}
	is_in_memory = false
	_beat_ms = Port.now_ms() + BEAT_MS
	_take_over(false, own_before)


## To be called in each frame.
func poll() -> void:
	if Port.now_ms() < _beat_ms:
		return
	_beat_ms = Port.now_ms() + BEAT_MS
	if _entries.size() > 0 and not is_in_memory:
		if Port.has_file(_path):
			Port.append_line(_path, "")
		else:
			_store()
	_take_over(true)


func size() -> int:
	return _entries.size()


func push(event: Dictionary) -> void:
	var entry := {"id": Port.random_hex(16), "event": event}
	_entries.append(entry)
	_lines.append(JsonText.of(entry))
	# Another copy of the game may have taken over a file that was not written for long.
	if is_in_memory or not Port.has_file(_path):
		_store()
	else:
		is_in_memory = not Port.append_line(_path, _lines[-1])


## Returns the idempotency key and the events of the next batch.
func batch(max_size: int) -> Dictionary:
	var events := []
	for index in range(min(max_size, _entries.size())):
		var event: Dictionary = _entries[index]["event"].duplicate()
		if not event.has("idempotency_key"):
			event["idempotency_key"] = _entries[index]["id"]
		events.append(event)
	return {"key": _entries[0]["id"], "events": events}


## Removes the first events.
func drop(amount: int) -> void:
	for _index in range(amount):
		_entries.pop_front()
		_lines.pop_front()
	_store()


## Takes over the events of other files, `only_abandoned` or all. Deletes the abandoned ones once that is on the disk.
func _take_over(only_abandoned: bool, own_before := "") -> void:
	var abandoned := []
	var amount := _entries.size()
	var known := _taken_over.duplicate()
	for entry in _entries:
		known[entry["id"]] = true
	for path in Port.files_of(_base):
		if path == _path:
			continue
		var is_abandoned: bool = path == own_before or Port.age_seconds(path) >= ABANDONED_SECONDS
		if is_abandoned:
			abandoned.append(path)
		if is_abandoned or not only_abandoned:
			_read(path, known)
	if _entries.size() > amount:
		_store()
	if not is_in_memory:
		for path in abandoned:
			Port.remove_file(path)


func _read(path: String, known: Dictionary) -> void:
	for line in Port.read_lines(path):
		var entry = Port.read_json(line).get("value")
		if typeof(entry) != TYPE_DICTIONARY or typeof(entry.get("event")) != TYPE_DICTIONARY or known.has(entry.get("id")):
			continue
		known[entry.get("id")] = true
		_taken_over[entry.get("id")] = true
		_entries.append(entry)
		_lines.append(line)


func _store() -> void:
	if _entries.size() == 0:
		Port.remove_file(_path)
		is_in_memory = false
		return
	is_in_memory = not Port.replace_file(_path, Port.join_lines(_lines))
