## Carries out one call: waits for a token, sends the request, and sends it again where that can help.

const BackOff = preload("back_off.gd")
const EarshotError = preload("earshot_error.gd")
const HttpExchange = preload("http_exchange.gd")
const Port = preload("../engine/port.gd")

const TOKEN_TIMEOUT_MS := 30000

var call
var client
## Has `method`, `path`, `headers` and `body`.
var request := {}
var max_attempts := 1
## `is_whole`: the answer is a list that ends at 2 MiB, and its header Link names the rest. `path` and `states`: a repeat is
## refused if the first request was carried out and its answer lost, so the challenge at the path is read: in one of these
## states, the action has succeeded.
var more := {}
var is_done := false

var _exchange = null
var _rows := []
var _attempt := 0
var _due_ms := 0
var _token_used := ""
var _token_deadline_ms := 0
## The error of the refused token, of which there is one at most.
var _refused = null
## The error of a repeat, while the outcome is looked up.
var _doubtful = null
## True once an answer was lost, so that what was asked for may have been done.
var _is_answer_lost := false
## Browsers send a request again by themselves.
var _may_have_happened := Port.is_browser()


## True while a connection is open.
func is_running() -> bool:
	return _exchange != null


func poll() -> void:
	if call.is_cancelled:
		_fail(EarshotError.new().setup("cancelled", "The call was cancelled."))
	elif _exchange != null:
		_exchange.poll()
		if _exchange.is_done:
			_read_answer()
	elif Port.now_ms() >= _due_ms:
		_begin()


func _begin() -> void:
	if client.needs_token():
		_wait_for_token()
	elif client.may_open_connection():
		_token_used = client.credential
		var sent := request.duplicate()
		sent["headers"] = request["headers"] + client.credential_headers()
		_exchange = HttpExchange.new()
		_exchange.start(client.address, sent, client.timeout_ms)


func _wait_for_token() -> void:
	if _token_deadline_ms == 0:
		_token_deadline_ms = Port.now_ms() + TOKEN_TIMEOUT_MS
	if client.ask_for_token() and Port.now_ms() < _token_deadline_ms:
		return
	if _refused == null:
		_refused = EarshotError.new().setup(
			"token_missing", "There is no token. Connect token_needed, and call set_token when it is emitted."
		)
	_fail(_refused)


func _read_answer() -> void:
	var exchange = _exchange
	_exchange = null
	if exchange.failure != "":
		_is_answer_lost = _is_answer_lost or exchange.is_sent
		_judge(EarshotError.new().setup(exchange.failure, exchange.failure_message))
		return
	var text: String = exchange.body.get_string_from_utf8()
	var json: Dictionary = {"value": null} if text == "" else Port.read_json(text)
	if exchange.headers.has("x-ignored-fields") and OS.is_stdout_verbose():
		print("Earshot ignores unknown fields of the body of %s: %s" % [request["path"], exchange.headers["x-ignored-fields"]])
	if exchange.status >= 300 and exchange.status < 400:
		# A redirect would make a read of a change, and show the credential to another server.
		_fail(
			EarshotError.new().setup(
				"not_earshot",
				(
					"The server at %s redirects to %s, which is not followed, so nothing was done. Set base_url to the address of the daemon."
					% [client.base_url, exchange.headers.get("location", "another address")]
				),
				exchange.status
			)
		)
	elif exchange.status < 200 or exchange.status >= 300:
		var refusal = EarshotError.new().read(exchange.status, exchange.headers, json.get("value"))
		if exchange.status == 500 or (refusal.code == "unknown" and exchange.status > 500):
			_is_answer_lost = true # a proxy that got no answer, or a failure on the way, does not say what was done
		_judge(refusal)
	elif json.has("value") and more.has("is_whole") and typeof(json["value"]) == TYPE_ARRAY:
		_read_on(json["value"], exchange.headers.get("link", ""))
	elif json.has("value"):
		_accept(json["value"])
	else:
		_is_answer_lost = true
		_judge(EarshotError.new().setup("not_earshot", "What answers at %s is not Earshot." % client.base_url))


## Adds the rows, and asks for the rest of the list.
func _read_on(rows: Array, link: String) -> void:
	_rows += rows
	var begin := link.rfind("/api/")
	var end := link.find(">; rel=\"next\"")
	if begin < 0 or end < begin:
		_accept(_rows)
		return
	request["path"] = link.substr(begin, end - begin)
	_attempt = 0


func _accept(answer) -> void:
	if _doubtful == null:
		is_done = true
		call.succeed(answer)
	elif more["states"].has(answer.get("type")):
		is_done = true
		call.succeed({"status": 200, "message": "OK", "challenge": answer})
	else:
		_fail(_doubtful)


func _judge(problem) -> void:
	if problem.is_about_credential and _refused == null and client.uses_token:
		_refused = problem
		client.drop_token(_token_used)
	elif _may_repeat(problem) and problem.retry_after_seconds * 1000 <= client.longest_wait_ms:
		_due_ms = Port.now_ms() + BackOff.wait_ms(_attempt, problem.retry_after_seconds)
		_attempt += 1
	elif problem.code == "action_not_possible" and _is_in_doubt():
		_doubtful = problem
		request = {"method": "GET", "path": more["path"], "headers": [], "body": ""}
	else:
		var is_change: bool = request["method"] != "GET" or _doubtful != null
		var says_nothing: bool = problem.is_passing or problem.is_about_credential or problem.code == "not_earshot"
		if _is_answer_lost and is_change and says_nothing:
			problem.set_may_be_done()
		_fail(problem)


func _is_in_doubt() -> bool:
	return (_may_have_happened or _is_answer_lost) and more.has("path") and _doubtful == null


## A change whose answer was lost is sent again only where that cannot do it twice: under its key, or where the daemon refuses.
func _may_repeat(problem) -> bool:
	if not problem.is_passing or _attempt + 1 >= max_attempts:
		return false
	if not _is_answer_lost or request["method"] == "GET" or more.has("path"):
		return true
	for header in request["headers"]:
		if header.begins_with("Idempotency-Key: "):
			return true
	return false


func _fail(problem) -> void:
	if _exchange != null:
		_exchange.abort()
		_exchange = null
	is_done = true
	call.fail(problem)
