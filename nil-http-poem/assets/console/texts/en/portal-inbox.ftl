## The inbox

disclosed-deal = Disclosed deal
agent-notices = Agent notices
agent-notice = Agent notice
deliverables = Deliverables
deliverable = Deliverable
inbox-late = Late
inbox-waiting = Waiting for your decision
inbox-due = Due
inbox-clear = Nothing is late, nothing is due by { $day }.
# $late is inbox-late-count or inbox-none-late, $waiting is inbox-waiting-count.
inbox-summary = { $late }, { $waiting }, { $due } more due by { $day }.
inbox-late-count = { $count } late
inbox-none-late = Nothing is late
inbox-waiting-count =
    { $count ->
        [0] nothing waits for your decision
        [one] 1 waits for your decision
       *[other] { $count } wait for your decision
    }
inbox-start = Start with the first
inbox-everything = Everything
inbox-filter = Filter the inbox
sport = Sport
all-sports = All sports
inbox-assigned-to = Assigned to
inbox-anybody = Anybody
inbox-me = Me
inbox-nobody = Nobody
inbox-snoozed = Snoozed
inbox-hidden = Hidden ({ $count })
inbox-shown = Shown
inbox-due-by = Due by
inbox-caption = What is due, late first
inbox-select-all = Select all { $count } on this page
col-due = Due
col-what = What
col-athlete = Athlete
col-marks = Marks
col-amount = Amount
col-with = With
inbox-select = Select { $title }, { $athlete }
# $span is such as “3 days”.
late-by = { $span } late
waits-for = waits { $span }
since = since { $at }
due-past = was due { $span } ago
due-today = due today
due-in = in { $span }
no-deadline = no deadline
snoozed-until = snoozed until { $at }
selected = { $count } selected
inbox-assign-to = Assign to
inbox-assign = Assign
inbox-snooze = Snooze until tomorrow
inbox-remind = Remind those whose turn it is
inbox-done-heading = You are done
inbox-transactions = Look at transactions
inbox-nothing-selected = Nothing is selected
inbox-assigned = { $done } of { $all } assigned
inbox-snoozed-now = { $done } of { $all } snoozed until tomorrow
inbox-reminded = { $done } of { $all } reminded of
