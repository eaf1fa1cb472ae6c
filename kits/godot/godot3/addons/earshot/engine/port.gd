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


## Returns the lines of a file; none if there is no such file.
static func read_lines(path: String) -> Array:
	var file = File.new()
	if not file.file_exists(path) or file.open(path, File.READ) != OK:
		return []
	return Array(file.get_as_text().split("\n", false))


## Returns false if the disk did not take the line.
static func append_line(path: String, line: String) -> bool:
	var file = File.new()
	if not file.file_exists(path):
		return replace_file(path, line + "\n")
	if file.open(path, File.READ_WRITE) != OK:
		return false
	file.seek_end()
	file.store_string(line + "\n")
	var problem = file.get_error()
	file.close()
	return problem == OK


## Writes a new file and renames it, so that a crash leaves the old or the new one.
static func replace_file(path: String, text: String) -> bool:
	var folder = Directory.new()
	folder.make_dir_recursive(path.get_base_dir())
	var file = File.new()
	if file.open(path + ".new", File.WRITE) != OK:
		return false
	file.store_string(text)
	var problem = file.get_error()
	file.close()
	return problem == OK and folder.rename(path + ".new", path) == OK


## Lets the node run while the game is paused.
static func keep_running(node: Node) -> void:
	node.pause_mode = Node.PAUSE_MODE_PROCESS


static func is_browser() -> bool:
	return OS.has_feature("HTML5")
