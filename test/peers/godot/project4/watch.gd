extends RefCounted


## Calls `target.noted(name, values)` whenever the signal is emitted.
static func watch(source, signal_name: String, name: String, arguments: int, target) -> void:
	match arguments:
		0:
			source.connect(signal_name, func(): target.noted(name, []))
		1:
			source.connect(signal_name, func(a): target.noted(name, [a]))
		2:
			source.connect(signal_name, func(a, b): target.noted(name, [a, b]))
