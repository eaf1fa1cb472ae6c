## Times as HTTP headers have them (RFC 9110, 5.6.7): Sun, 06 Nov 1994 08:49:37 GMT

const MONTHS := ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const DAYS_BEFORE := [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]


## Returns the seconds since 1970, or -1 if it is no such time.
static func seconds_of(text: String) -> int:
	var parts := text.strip_edges().split(" ", false)
	if parts.size() < 5:
		return -1
	var month := MONTHS.find(parts[2].to_lower())
	var clock := parts[4].split(":")
	if month < 0 or clock.size() != 3:
		return -1
	var year := int(parts[3])
	var leap_years := _leap_years(year if month > 1 else year - 1) - _leap_years(1969)
	var days: int = (year - 1970) * 365 + leap_years + DAYS_BEFORE[month] + int(parts[1]) - 1
	return ((days * 24 + int(clock[0])) * 60 + int(clock[1])) * 60 + int(clock[2])


## Returns the number of leap years up to and including a year.
static func _leap_years(year: int) -> int:
	return int(floor(year / 4.0)) - int(floor(year / 100.0)) + int(floor(year / 400.0))


## Returns the seconds that `Retry-After` asks to wait: a number, or a time by the clock that made the answer. 0: none.
static func retry_after(headers: Dictionary) -> int:
	var text: String = headers.get("retry-after", "").strip_edges()
	if str(int(text)) == text:
		return int(max(0, int(text)))
	var until := seconds_of(text)
	var sent := seconds_of(headers.get("date", ""))
	return int(max(0, until - sent)) if until >= 0 and sent >= 0 else 0
