extends Reference


## Calls `target.noted(name, values)` whenever the signal is emitted.
static func watch(source, signal_name: String, name: String, arguments: int, target) -> void:
	source.connect(signal_name, target, "noted_%d" % arguments, [name])
