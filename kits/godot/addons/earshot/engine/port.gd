extends RefCounted
## The calls of the engine that Godot 4 writes in another way than Godot 3. The folder `shared` is the same text for both.


static func now_ms() -> int:
	return Time.get_ticks_msec()


## Returns the JSON, which `shared/json_text.gd` makes valid.
static func to_json(value) -> String:
	return JSON.stringify(value, "", false, true)


## Returns {"value": …}, and {} if the text is not JSON.
static func read_json(text: String) -> Dictionary:
	var json = JSON.new()
	return {"value": json.data} if json.parse(text) == OK else {}


static func uri_encode(text: String) -> String:
	return text.uri_encode()


static func random_hex(bytes: int) -> String:
	return Crypto.new().generate_random_bytes(bytes).hex_encode()


static func connect_to_host(http: HTTPClient, host: String, port: int, tls: bool) -> int:
	return http.connect_to_host(host, port, TLSOptions.client() if tls else null)


static func no_bytes() -> PackedByteArray:
	return PackedByteArray()


## Returns the bytes from `begin` up to, and without, `end`.
static func cut_bytes(bytes: PackedByteArray, begin: int, end: int) -> PackedByteArray:
	return bytes.slice(begin, end)


## Returns the lines of a file that are not empty; none if there is no such file. A crash may have left zeros in it.
static func read_lines(path: String) -> Array:
	var lines := []
	var file = FileAccess.open(path, FileAccess.READ)
	while file != null and not file.eof_reached():
		var line: String = file.get_line()
		if line != "":
			lines.append(line)
	return lines


## Returns the time by the clock of the device, as RFC 3339 has it.
static func utc_time() -> String:
	return Time.get_datetime_string_from_system(true) + "Z"


static func join_lines(lines: Array) -> String:
	return "\n".join(PackedStringArray(lines)) + "\n"


## Returns the files `base`.jsonl and `base`.run-….jsonl.
static func files_of(base: String) -> Array:
	var files := []
	for name in DirAccess.get_files_at(base.get_base_dir()):
		var is_of_run: bool = name.begins_with(base.get_file() + ".run-") and name.ends_with(".jsonl")
		if is_of_run or name == base.get_file() + ".jsonl":
			files.append(base.get_base_dir() + "/" + name)
	return files


static func has_file(path: String) -> bool:
	return FileAccess.file_exists(path)


## Returns how long the file has not been written.
static func age_seconds(path: String) -> float:
	return Time.get_unix_time_from_system() - FileAccess.get_modified_time(path)


static func remove_file(path: String) -> void:
	DirAccess.remove_absolute(path)


## Returns the code point of a character; of half a surrogate pair, that half.
static func code_at(text: String, index: int) -> int:
	return text.unicode_at(index)


## Returns false if the disk did not take the line.
static func append_line(path: String, line: String) -> bool:
	if not FileAccess.file_exists(path):
		return replace_file(path, line + "\n")
	var file = FileAccess.open(path, FileAccess.READ_WRITE)
	if file == null:
		return false
	file.seek_end()
	var bytes := file.get_position() + (line + "\n").to_utf8_buffer().size()
	file.store_string(line + "\n")
	file.close()
	return _has_length(path, bytes)


## Writes a new file and renames it, so that a crash leaves the old or the new one.
static func replace_file(path: String, text: String) -> bool:
	DirAccess.make_dir_recursive_absolute(path.get_base_dir())
	var file = FileAccess.open(path + ".new", FileAccess.WRITE)
	if file == null:
		return false
	file.store_string(text)
	file.close()
	return _has_length(path + ".new", text.to_utf8_buffer().size()) and DirAccess.rename_absolute(path + ".new", path) == OK


## A full disk cuts what is written, and not each engine says so.
static func _has_length(path: String, bytes: int) -> bool:
	var file = FileAccess.open(path, FileAccess.READ)
	return file != null and file.get_length() == bytes


## Lets the node run while the game is paused.
static func keep_running(node: Node) -> void:
	node.process_mode = Node.PROCESS_MODE_ALWAYS


static func is_browser() -> bool:
	return OS.has_feature("web")
