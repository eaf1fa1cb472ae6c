## Game events that wait to be sent, oldest first, in memory and in a file: a line of JSON each.
##
## The id of the first event is the idempotency key of a batch, and the daemon tells the events of a batch apart by their
## place in it. The queue is sent from its head and an event never changes its place, so a batch that is sent again, be it
## after a restart and with more events at its end, counts each event once.

const JsonText = preload("json_text.gd")
const Port = preload("../engine/port.gd")

## True once the disk did not take the events: they are lost with the game.
var is_in_memory := false

var _path := ""
var _entries := []


## Reads what an earlier run left. A line that a crash cut is dropped.
func open(path: String) -> void:
	_path = path
	_entries = []
	is_in_memory = false
	var lines := Port.read_lines(path)
	for line in lines:
		var json := Port.read_json(line)
		if typeof(json.get("value")) == TYPE_DICTIONARY and json["value"].has_all(["id", "event"]):
			_entries.append(json["value"])
	if _entries.size() < lines.size():
		_store()


func size() -> int:
	return _entries.size()


func push(event: Dictionary) -> void:
	var entry := {"id": Port.random_hex(16), "event": event}
	_entries.append(entry)
	if is_in_memory:
		_store()
	else:
		is_in_memory = not Port.append_line(_path, JsonText.of(entry))


## Returns the idempotency key and the events of the next batch.
func batch(max_size: int) -> Dictionary:
	var events := []
	for index in range(min(max_size, _entries.size())):
		events.append(_entries[index]["event"])
	return {"key": _entries[0]["id"], "events": events}


## Removes the first events.
func drop(amount: int) -> void:
	for _index in range(amount):
		_entries.pop_front()
	_store()


func _store() -> void:
	var text := ""
	for entry in _entries:
		text += JsonText.of(entry) + "\n"
	is_in_memory = not Port.replace_file(_path, text)
