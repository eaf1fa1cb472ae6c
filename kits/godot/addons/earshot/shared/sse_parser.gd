## Reads server-sent events from the bytes of a stream (WHATWG HTML, 9.2.6).

const Port = preload("../engine/port.gd")

const LINE_FEED := 10
## Longer events end the stream.
const MAX_EVENT_BYTES := 4194304

## Id of the last event that had one.
var last_event_id := ""
var is_too_long := false

var _rest = Port.no_bytes()
var _has_begun := false
var _name := ""
var _data := []
var _data_length := 0


## Returns the events that these bytes complete: dictionaries with `event` (`message` where it has no name) and `data`.
func feed(bytes) -> Array:
	_rest.append_array(bytes)
	var end: int = _rest.size()
	while end > 0 and _rest[end - 1] != LINE_FEED:
		end -= 1
	if _rest.size() - end + _data_length > MAX_EVENT_BYTES:
		is_too_long = true
	if end == 0:
		return []
	var text: String = Port.cut_bytes(_rest, 0, end).get_string_from_utf8()
	_rest = Port.cut_bytes(_rest, end, _rest.size())
	if not _has_begun:
		_has_begun = true
		if text.begins_with(char(0xFEFF)):
			text = text.substr(1, text.length() - 1)
	var lines := Array(text.split("\n"))
	lines.pop_back()
	var events := []
	for line in lines:
		_read_line(line.trim_suffix("\r"), events)
	return events


func _read_line(line: String, events: Array) -> void:
	if line == "":
		if _data.size() > 0:
			events.append({"event": "message" if _name == "" else _name, "data": _joined()})
		_name = ""
		_data = []
		_data_length = 0
		return
	var colon := line.find(":")
	var field := line if colon < 0 else line.substr(0, colon)
	var value := "" if colon < 0 else line.substr(colon + 1, line.length() - colon - 1)
	if value.begins_with(" "):
		value = value.substr(1, value.length() - 1)
	match field:
		"data":
			_data.append(value)
			_data_length += value.length()
		"event":
			_name = value
		"id":
			last_event_id = value


func _joined() -> String:
	var text := ""
	for index in range(_data.size()):
		text += _data[index] if index == 0 else "\n" + _data[index]
	return text
