extends Node
## Does what a suite asks for: gets commands from the server of the suite, and posts what comes of them.

const HttpExchange = preload("res://addons/earshot/shared/http_exchange.gd")
const JsonText = preload("res://addons/earshot/shared/json_text.gd")
const Port = preload("res://addons/earshot/engine/port.gd")
const ServerClient = preload("res://addons/earshot/server_client.gd")
const Watch = preload("res://watch.gd")

var _address := {}
var _asking = null
var _telling = null
var _reports := []
var _told := []
var _calls := {}
var _objects := {}
var _watched := []


func _ready():
	_objects = {"player": get_node("/root/Earshot"), "server": ServerClient.new()}
	add_child(_objects["server"])
	for name in _objects:
		Watch.watch(_objects[name], "token_needed", name + ".token_needed", 0, self)
	var address := ""
	for argument in OS.get_cmdline_args():
		if argument.begins_with("http://"):
			address = argument
	if address == "":
		address = Port.read_lines("res://address.txt")[0]
	_address = HttpExchange.parse_address(address)


func _process(_delta):
	for id in _calls.keys():
		if _calls[id].is_completed:
			_report({"id": id, "result": _shown(_calls[id])})
			_calls.erase(id)
	if _asking == null:
		_asking = _exchange("GET", "/next", "")
	_asking.poll()
	if _asking.is_done:
		var commands = Port.read_json(_asking.body.get_string_from_utf8()).get("value")
		_asking = null
		if typeof(commands) == TYPE_ARRAY:
			for command in commands:
				_do(command)
	if _telling == null and _reports.size() > 0:
		_telling = _exchange("POST", "/reports", JsonText.of(_reports))
		_told = _reports
		_reports = []
	if _telling != null:
		_telling.poll()
		if _telling.is_done:
			if _telling.failure != "":
				_reports = _told + _reports
			_telling = null


func _exchange(method: String, path: String, body: String):
	var exchange = HttpExchange.new()
	exchange.start(_address, {"method": method, "path": path, "headers": [], "body": body}, 60000)
	return exchange


func _do(command: Dictionary) -> void:
	var target = _target(command["on"])
	match command["do"]:
		"call":
			_calls[command["id"]] = target.callv(command["name"], command["args"])
			_objects[command["id"]] = _calls[command["id"]]
		"stream":
			var stream = target.callv(command["name"], command["args"])
			_objects[command["id"]] = stream
			for part in [
				["connected", 0], ["event_received", 1], ["gap", 1], ["lost", 2], ["closed", 1], ["ticket_needed", 0]
			]:
				Watch.watch(stream, part[0], command["id"] + "." + part[0], part[1], self)
			_report({"id": command["id"], "result": null})
		"run":
			_report({"id": command["id"], "result": _shown(target.callv(command["name"], command["args"]))})
		"quit":
			get_tree().quit()


func _target(path: String):
	if not path.ends_with(".events"):
		return _objects[path]
	var queue = _objects[path.replace(".events", "")].events
	if not _watched.has(queue):
		_watched.append(queue)
		for part in [["sent", 1], ["rejected", 2], ["delayed", 1]]:
			Watch.watch(queue, part[0], path + "." + part[0], part[1], self)
	return queue


func _report(report: Dictionary) -> void:
	_reports.append(report)


func noted(name: String, values: Array) -> void:
	var shown := []
	for value in values:
		shown.append(_shown(value))
	_report({"signal": name, "values": shown})


func noted_0(name: String) -> void:
	noted(name, [])


func noted_1(value, name: String) -> void:
	noted(name, [value])


func noted_2(first, second, name: String) -> void:
	noted(name, [first, second])


func _shown(value):
	if typeof(value) != TYPE_OBJECT or value == null:
		return value
	if "is_completed" in value:
		return {"ok": value.ok, "data": value.data, "error": _shown(value.error)}
	return {
		"code": value.code,
		"message": value.message,
		"status": value.status,
		"details": value.details,
		"requestId": value.request_id,
		"retryAfterSeconds": value.retry_after_seconds,
		"isPassing": value.is_passing,
		"mayBeDone": value.may_be_done,
	}
