## One request and its answer over a connection of its own, moved on by `poll` in each frame.

const Port = preload("../engine/port.gd")

const METHODS = {
	"GET": HTTPClient.METHOD_GET,
	"POST": HTTPClient.METHOD_POST,
	"PUT": HTTPClient.METHOD_PUT,
	"PATCH": HTTPClient.METHOD_PATCH,
	"DELETE": HTTPClient.METHOD_DELETE,
}
## Larger answers are an error; the daemon ends lists at 2 MiB.
const MAX_BODY_BYTES := 16777216
## Bytes that one frame reads at most.
const FRAME_BYTES := 1048576

var is_done := false
## `unreachable`, `timeout` or `not_earshot`; empty: the answer is complete.
var failure := ""
var failure_message := ""
## HTTP status; 0: no head came.
var status := 0
## Names are in lower case.
var headers := {}
## What came of the body; for a stream, what `take` has not returned yet.
var body = Port.no_bytes()
## True once the daemon may have received the request.
var is_sent := false

var _http := HTTPClient.new()
var _address := {}
var _method := ""
var _path := ""
var _request_headers := []
var _request_body := ""
var _is_stream := false
var _timeout_ms := 0
var _silence_ms := 0
var _deadline_ms := 0


## Splits http://host:port/prefix into its parts; {}: it is no such address.
static func parse_address(url: String) -> Dictionary:
	var tls := url.begins_with("https://")
	if not tls and not url.begins_with("http://"):
		return {}
	var rest := url.substr(8 if tls else 7, url.length())
	var slash := rest.find("/")
	var prefix := "" if slash < 0 else rest.substr(slash, rest.length())
	while prefix.ends_with("/"):
		prefix = prefix.substr(0, prefix.length() - 1)
	var host := rest if slash < 0 else rest.substr(0, slash)
	var port := 443 if tls else 80
	var colon := host.rfind(":")
	if colon > host.find("]"):
		port = int(host.substr(colon + 1, host.length()))
		host = host.substr(0, colon)
	host = host.replace("[", "").replace("]", "")
	if host == "" or port <= 0 or port > 65535:
		return {}
	return {"tls": tls, "host": host, "port": port, "prefix": prefix}


## `timeout_ms` is the longest wait for the whole answer, for a stream (`silence_ms` > 0) for its head; a stream also ends
## when nothing came for `silence_ms`.
func start(address: Dictionary, request: Dictionary, timeout_ms: int, silence_ms := 0) -> void:
	_address = address
	_method = request["method"]
	_path = address["prefix"] + request["path"]
	if Port.is_browser() and _method == "GET" and _path.find("ticket=") < 0:
		# Else a browser lets the request wait 20 s for an unfinished one to the same address, for the sake of its cache.
		_path += ("&" if _path.find("?") >= 0 else "?") + "_=" + Port.random_hex(8)
	_request_headers = request["headers"]
	_request_body = request["body"]
	_timeout_ms = timeout_ms
	_silence_ms = silence_ms
	_is_stream = silence_ms > 0
	_deadline_ms = Port.now_ms() + timeout_ms
	_http.set_read_chunk_size(65536)
	if Port.connect_to_host(_http, address["host"], address["port"], address["tls"]) != OK:
		_fail("unreachable", "cannot connect")


## Closes the connection.
func abort() -> void:
	is_done = true
	_http.close()


func poll() -> void:
	if is_done:
		return
	if Port.now_ms() > _deadline_ms:
		var waited := _silence_ms if _is_stream and status > 0 else _timeout_ms
		_fail("timeout", "no answer after %d s" % [waited / 1000])
		return
	_http.poll()
	match _http.get_status():
		HTTPClient.STATUS_RESOLVING, HTTPClient.STATUS_CONNECTING, HTTPClient.STATUS_REQUESTING:
			pass
		HTTPClient.STATUS_CONNECTED:
			if is_sent:
				_end()
			else:
				_send()
		HTTPClient.STATUS_BODY:
			_read_body()
		HTTPClient.STATUS_CANT_RESOLVE:
			_fail("unreachable", "the name of the host cannot be resolved")
		HTTPClient.STATUS_CANT_CONNECT:
			_fail("unreachable", "nothing answers there")
		HTTPClient.STATUS_DISCONNECTED:
			_end() # in browsers, and where an answer ends with its connection
		HTTPClient.STATUS_CONNECTION_ERROR:
			_fail("unreachable", "the connection was cut")
		_:
			_fail("unreachable", "TLS failed: the certificate may not be trusted")


## Returns what of a stream has come since the last call.
func take():
	var taken = body
	body = Port.no_bytes()
	return taken


func _send() -> void:
	is_sent = true
	if _http.request(METHODS[_method], _path, _request_headers, _request_body) != OK:
		_fail("unreachable", "the request could not be sent")


func _read_head() -> void:
	if status > 0 or _http.get_response_code() <= 0:
		return
	status = _http.get_response_code()
	if _is_stream:
		_deadline_ms = Port.now_ms() + _silence_ms
	for line in _http.get_response_headers():
		var colon: int = line.find(":")
		headers[line.substr(0, colon).to_lower()] = line.substr(colon + 1, line.length()).strip_edges()


func _read_body() -> void:
	_read_head()
	var amount := 0
	while amount < FRAME_BYTES and _http.get_status() == HTTPClient.STATUS_BODY:
		var chunk = _http.read_response_body_chunk()
		if chunk.size() == 0:
			break
		amount += chunk.size()
		body.append_array(chunk)
	if _is_stream and amount > 0:
		_deadline_ms = Port.now_ms() + _silence_ms
	if body.size() > MAX_BODY_BYTES:
		_fail("not_earshot", "the answer is larger than %d MiB" % [MAX_BODY_BYTES / 1048576])


func _end() -> void:
	_read_head()
	var length: int = int(headers.get("content-length", "-1"))
	var is_cut: bool = length > body.size() and not headers.has("content-encoding") and not _is_stream
	if status == 0 or is_cut:
		_fail("unreachable", "the connection was cut")
	else:
		is_done = true
		_http.close()


func _fail(code: String, reason: String) -> void:
	failure = code
	failure_message = "The daemon at %s:%d cannot be used: %s." % [_address["host"], _address["port"], reason]
	abort()
