## JSON that every reader takes. Godot writes control characters as they are, and a vertical tab as `\v`; both are invalid
## (RFC 8259, 7), so they are left out.

const Port = preload("../engine/port.gd")
const REPLACEMENT := "\ufffd"


static func of(value) -> String:
	var controls := RegEx.new()
	controls.compile("[\\x00-\\x1f]")
	var vertical_tabs := RegEx.new()
	vertical_tabs.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\v")
	return vertical_tabs.sub(controls.sub(Port.to_json(value), "", true), "$1", true)


## Replaces half surrogate pairs, which are left where text was cut within an emoji: they have no form in UTF-8.
static func whole(text: String) -> String:
	var parts := ""
	var begin := 0
	var index := 0
	while index < text.length():
		var code: int = Port.code_at(text, index)
		if code < 0xd800 or code > 0xdfff:
			index += 1
			continue
		var next: int = Port.code_at(text, index + 1) if index + 1 < text.length() else 0
		if code < 0xdc00 and next >= 0xdc00 and next <= 0xdfff:
			index += 2 # where the engine keeps text as UTF-16
			continue
		parts += text.substr(begin, index - begin) + REPLACEMENT
		index += 1
		begin = index
	return text if begin == 0 else parts + text.substr(begin, text.length() - begin)
