extends "../shared/call_state.gd"
## One call of an operation. `await client.get_leaderboards().wait()` returns it once it is completed.


func wait():
	if not is_completed:
		await completed
	return self
