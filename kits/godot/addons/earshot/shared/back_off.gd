## Waiting times before another try: longer each time, and varied by a quarter, so that games do not return all at once.

const STEPS_MS = [500, 1000, 2000, 5000, 10000, 30000]
const JITTER := 0.25
## However long a daemon, or a proxy before it, asks to wait.
const LONGEST_WAIT_MS := 60000


## `attempt` is 0 after the first failure.
static func wait_ms(attempt: int, retry_after_seconds := 0) -> int:
	var step: int = STEPS_MS[int(min(attempt, STEPS_MS.size() - 1))]
	var varied := step * (1.0 - JITTER + 2.0 * JITTER * randf())
	var asked := retry_after_seconds * 1000.0 * (1.0 + JITTER * randf())
	return int(min(max(varied, asked), LONGEST_WAIT_MS))
