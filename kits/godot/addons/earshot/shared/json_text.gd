## JSON that every reader takes. Godot writes control characters as they are, and a vertical tab as `\v`; both are invalid
## (RFC 8259, 7), so they are left out.

const Port = preload("../engine/port.gd")


static func of(value) -> String:
	var controls := RegEx.new()
	controls.compile("[\\x00-\\x1f]")
	var vertical_tabs := RegEx.new()
	vertical_tabs.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\v")
	return vertical_tabs.sub(controls.sub(Port.to_json(value), "", true), "$1", true)
