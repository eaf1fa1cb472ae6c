extends "../shared/call_state.gd"
## One call of an operation. `yield(client.get_leaderboards().wait(), "completed")` returns it once it is completed.


func wait():
	if is_completed:
		yield(Engine.get_main_loop(), "idle_frame")
	else:
		yield(self, "completed")
	return self
