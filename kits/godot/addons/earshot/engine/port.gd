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


## Returns the lines of a file; none if there is no such file.
static func read_lines(path: String) -> Array:
	var file = FileAccess.open(path, FileAccess.READ)
	return [] if file == null else Array(file.get_as_text().split("\n", false))


## Returns false if the disk did not take the line.
static func append_line(path: String, line: String) -> bool:
	if not FileAccess.file_exists(path):
		return replace_file(path, line + "\n")
	var file = FileAccess.open(path, FileAccess.READ_WRITE)
	if file == null:
		return false
	file.seek_end()
	file.store_string(line + "\n")
	file.flush()
	return file.get_error() == OK


## Writes a new file and renames it, so that a crash leaves the old or the new one.
static func replace_file(path: String, text: String) -> bool:
	DirAccess.make_dir_recursive_absolute(path.get_base_dir())
	var file = FileAccess.open(path + ".new", FileAccess.WRITE)
	if file == null:
		return false
	file.store_string(text)
	file.flush()
	var problem = file.get_error()
	file.close()
	return problem == OK and DirAccess.rename_absolute(path + ".new", path) == OK


## Lets the node run while the game is paused.
static func keep_running(node: Node) -> void:
	node.process_mode = Node.PROCESS_MODE_ALWAYS


static func is_browser() -> bool:
	return OS.has_feature("web")
