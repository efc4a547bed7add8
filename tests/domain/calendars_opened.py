"""Opens calendars with a library that calendar programs are made with. Reads texts as JSON, and says what is in them."""

import json
import sys

from icalendar import Calendar


def said(event):
    start = event.decoded("dtstart")
    return {
        "uid": str(event["uid"]),
        "summary": str(event["summary"]),
        "start": start.isoformat(),
        "status": str(event["status"]),
        "sequence": event["sequence"],
        "stamp": event.decoded("dtstamp").isoformat(),
    }


opened = []
for text in json.load(sys.stdin):
    assert all(len(line) <= 75 for line in text.encode().split(b"\r\n")), "a long line"
    assert text.encode().count(b"\n") == text.encode().count(b"\r\n"), "a line without its whole end"
    calendar = Calendar.from_ical(text)
    assert not calendar.errors, calendar.errors
    for event in calendar.walk("VEVENT"):
        assert not event.errors, event.errors
    # Written again, it says the same.
    again = Calendar.from_ical(calendar.to_ical())
    events = [said(event) for event in calendar.walk("VEVENT")]
    assert events == [said(event) for event in again.walk("VEVENT")]
    opened.append({
        "name": str(calendar["x-wr-calname"]),
        "refresh": str(calendar["refresh-interval"].dt),
        "events": events,
    })
print(json.dumps(opened))
