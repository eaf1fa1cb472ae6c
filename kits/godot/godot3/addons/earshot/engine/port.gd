extends Reference
## The calls of the engine that Godot 3 writes in another way than Godot 4. The folder `shared` is the same text for both.


static func now_ms() -> int:
	return OS.get_ticks_msec()


## Returns the JSON, which `shared/json_text.gd` makes valid.
static func to_json(value) -> String:
	return JSON.print(value)


## Returns {"value": …}, and {} if the text is not JSON.
static func read_json(text: String) -> Dictionary:
	if validate_json(text) != "":
		return {}
	return {"value": parse_json(text)}


static func uri_encode(text: String) -> String:
	return text.http_escape()


static func random_hex(bytes: int) -> String:
	return Crypto.new().generate_random_bytes(bytes).hex_encode()


static func connect_to_host(http: HTTPClient, host: String, port: int, tls: bool) -> int:
	return http.connect_to_host(host, port, tls, true)


static func no_bytes() -> PoolByteArray:
	return PoolByteArray()


## Returns the bytes from `begin` up to, and without, `end`.
static func cut_bytes(bytes: PoolByteArray, begin: int, end: int) -> PoolByteArray:
	return bytes.subarray(begin, end - 1) if end > begin else PoolByteArray()


## Returns the lines of a file that are not empty; none if there is no such file. A crash may have left zeros in it.
static func read_lines(path: String) -> Array:
	var lines := []
	var file = File.new()
	if not file.file_exists(path) or file.open(path, File.READ) != OK:
		return lines
	while not file.eof_reached():
		var line: String = file.get_line()
		if line != "":
			lines.append(line)
	return lines


## Returns the time by the clock of the device, as RFC 3339 has it.
static func utc_time() -> String:
	var now: Dictionary = OS.get_datetime(true)
	var parts := [now["year"], now["month"], now["day"], now["hour"], now["minute"], now["second"]]
	return "%04d-%02d-%02dT%02d:%02d:%02dZ" % parts


static func join_lines(lines: Array) -> String:
	return PoolStringArray(lines).join("\n") + "\n"


## Returns the files `base`.jsonl and `base`.run-….jsonl.
static func files_of(base: String) -> Array:
	var files := []
	var folder = Directory.new()
	if folder.open(base.get_base_dir()) != OK or folder.list_dir_begin(true) != OK:
		return files
	var name: String = folder.get_next()
	while name != "":
		var is_of_run: bool = name.begins_with(base.get_file() + ".run-") and name.ends_with(".jsonl")
		if is_of_run or name == base.get_file() + ".jsonl":
			files.append(base.get_base_dir() + "/" + name)
		name = folder.get_next()
	return files


static func has_file(path: String) -> bool:
	return File.new().file_exists(path)


## Returns how long the file has not been written.
static func age_seconds(path: String) -> float:
	return float(OS.get_unix_time() - File.new().get_modified_time(path))


static func remove_file(path: String) -> void:
	Directory.new().remove(path)


## Returns the code point of a character; of half a surrogate pair, that half.
static func code_at(text: String, index: int) -> int:
	return text.ord_at(index)


## Returns false if the disk did not take the line.
static func append_line(path: String, line: String) -> bool:
	var file = File.new()
	if not file.file_exists(path):
		return replace_file(path, line + "\n")
	if file.open(path, File.READ_WRITE) != OK:
		return false
	file.seek_end()
	var bytes = file.get_position() + (line + "\n").to_utf8().size()
	file.store_string(line + "\n")
	file.close()
	return _has_length(path, bytes)


## Writes a new file and renames it, so that a crash leaves the old or the new one.
static func replace_file(path: String, text: String) -> bool:
	var folder = Directory.new()
	folder.make_dir_recursive(path.get_base_dir())
	var file = File.new()
	if file.open(path + ".new", File.WRITE) != OK:
		return false
	file.store_string(text)
	file.close()
	return _has_length(path + ".new", text.to_utf8().size()) and folder.rename(path + ".new", path) == OK


## A full disk cuts what is written, and no call of the engine fails.
static func _has_length(path: String, bytes: int) -> bool:
	var file = File.new()
	return file.open(path, File.READ) == OK and file.get_len() == bytes


## Lets the node run while the game is paused.
static func keep_running(node: Node) -> void:
	node.pause_mode = Node.PAUSE_MODE_PROCESS


static func is_browser() -> bool:
	return OS.has_feature("HTML5")
