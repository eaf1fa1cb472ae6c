## What a call has become. It completes once, and never before the next frame.

## Emitted once; the argument is this call.
signal completed(this_call)

const EarshotError = preload("earshot_error.gd")

var is_completed := false
## True if the operation succeeded. Then `data` is the body of the answer: null where it has none.
var ok := false
var data = null
## null, or an object with `code`, `message`, `status`, `request_id`, `details`, `retry_after_seconds`, `is_passing`
## and `may_be_done`.
var error = null
var is_cancelled := false


## Ends the call with the error `cancelled` in the next frame. The daemon may have carried it out already.
func cancel() -> void:
	is_cancelled = true


func succeed(answer) -> void:
	_complete(true, answer, null)


func fail(problem) -> void:
	_complete(false, null, problem)


func _complete(succeeded: bool, answer, problem) -> void:
	if is_completed:
		return
	ok = succeeded
	data = answer
	error = problem
	is_completed = true
	emit_signal("completed", self)
