## Clocks: how much of a time is used

clock-in-time = in time
clock-late = late
# $span is such as “3 days”.
clock-left = { $span } left
clock-given = given { $at }, until { $until }
clock-ends = ends { $at }
clock-none = The day of signing is not known, so no clock runs.
clock-agent = Agent's notice
clock-athlete = Athlete's notice
clock-over = over
clock-cancelled = Cancelled { $at }.
clock-may-cancel = Athlete may cancel

## The filings of agents

filings-about = Contracts of your athletes with agents, and the notices of both sides.
col-agent = Agent
col-notice-due = Notice due
col-may-cancel = May cancel until
col-kind = Kind
file-agent-notice = File an agent notice

## One filing

decide-acknowledge = Acknowledge
decide-acknowledge-about = The institution has received the notice.
decide-return = Return
decide-return-about = It goes back to be completed; a reason is needed.
decide-terminate = Terminate
decide-terminate-about = The contract that it is about has ended.
filing-reason-hint = The agent and the athlete read it. Needed to return.
agent-for = { $agent } for { $athlete }
counted-from = Counted from the signing on { $at }
ago = { $span } ago
version-small = version { $version }
the-clocks = The clocks
correct-filing = Correct the filing
documents-zip = Documents (ZIP)
versions = Versions
col-version = Version
col-by = By
col-when = When
complete-question = Complete?
not-given = not given
guardian = Guardian
business = Business
address = Address
phone = Phone
registered = Registered
also-in = Also in
services = Services
consideration = Consideration
other-pay = Other pay
expenses = Expenses
persons-paid = Persons paid by the agent
cancelled = Cancelled
agent-named = Agent named
registration = Registration
day-of-signing = Day of signing
separate-acknowledgement = Separate acknowledgement
the-agents-notice = The agent's notice
the-athletes-notice = The athlete's notice
warning-notice = Warning notice in the contract
no-warning-notice = the contract does not have it
