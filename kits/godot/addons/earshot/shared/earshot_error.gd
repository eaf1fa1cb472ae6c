## Why a call failed. `code` is for the program: that of the daemon (docs/library.md), or one of the addon:
## unreachable, timeout, not_earshot, cancelled, token_missing, unknown_field, id_invalid, address_invalid, too_many_calls,
## queue_full, unreadable_stream.

const HttpDate = preload("http_date.gd")

## Too many at once, or a daemon that stops or is not reached through its proxy.
const PASSING = [408, 425, 429, 500, 502, 503, 504]
const PASSING_CODES = ["unreachable", "timeout", "idempotency_in_progress"]

var code := ""
## Says what to do, for people.
var message := ""
## HTTP status; 0: no answer came.
var status := 0
## Id under which the daemon's log has the request.
var request_id := ""
## Findings of validation: dictionaries with `path` and `message`.
var details := []
## 0: the daemon did not say.
var retry_after_seconds := 0
## True if the daemon said it, and not something on the way to it.
var is_from_daemon := false
## True if a later try can succeed.
var is_passing := false
## True if the answer to a change was lost, so that it may have been done. Look before you repeat it.
var may_be_done := false
## True if the credential was refused.
var is_about_credential := false


func setup(own_code: String, text: String, http_status := 0):
	code = own_code
	message = text
	status = http_status
	is_passing = PASSING.has(status) or PASSING_CODES.has(code)
	is_about_credential = status == 401 or code == "player_token_invalid"
	return self


func set_may_be_done() -> void:
	may_be_done = true
	message += " What was asked for may have been done: look before you repeat it."


## Reads the error body of the daemon, as far as it is one: a proxy may have answered instead.
func read(http_status: int, headers: Dictionary, body):
	var fields: Dictionary = body if typeof(body) == TYPE_DICTIONARY else {}
	setup(
		str(fields.get("code", "unknown")),
		str(fields.get("message", "The server answered with status %d." % http_status)),
		http_status
	)
	request_id = str(fields.get("requestId", headers.get("x-request-id", "")))
	if typeof(fields.get("details")) == TYPE_ARRAY:
		details = fields["details"]
	retry_after_seconds = HttpDate.retry_after(headers)
	is_from_daemon = typeof(fields.get("requestId")) == TYPE_STRING and typeof(fields.get("code")) == TYPE_STRING
	return self
