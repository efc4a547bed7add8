## The trail

trail-about = What the institution's people read and changed. Nothing can be removed from it.
col-who = Who
col-about = About
col-address = Address
packet = Packet
agent-filing = Agent filing
fields =
    { $count ->
        [one] 1 field
       *[other] { $count } fields
    }

## The team

team-about = The people with access to the portal.
role = Role
sports = Sports
last-sign-in = Last sign-in
access = Access
all-of-them = All
what-one-did = What { $name } did
wait-for-answer =
    { $count ->
        [one] 1 waits for your answer
       *[other] { $count } wait for your answer
    }
asks-to-be = { $email } asks to be { $role }
let-in-as = Let in as { $role }
refuse = Refuse
invite = Invite somebody
send-invitation = Send the invitation
save = Save
give-access-again = Give access again
end-access = End access
change-one = Change { $name }

## The rules of an institution in words

rule-deadline = Deadline to disclose
rule-threshold = Threshold of review
rule-approval = Approval
rule-hold-payouts = Payouts
rule-prohibited = Prohibited categories
rule-restricted = Restricted categories
rule-sponsors = Sponsors whose rivals are excluded
rule-marks = Marks and facilities
rule-blackouts = Blackout days
rule-f1 = F-1 students
rule-flags = Marks set automatically
business-days = { $count } business days
# After an amount.
scope-deal = for each deal
scope-athlete = for all deals of an athlete
scope-payor-group = per payor group
approval-all = All disclosed deals
approval-above = Deals above the threshold
approval-associated = Deals of associated payers
approval-none = Not needed
hold-wait = Wait for the clearinghouse
hold-none = Do not wait
rule-agent-notice = { $hours } hours; { $days } days to cancel
name-from-to = { $name } ({ $from } to { $until })

## Rules

rules-of-a-day = Rules of a day
in-force-today = In force today
rule = Rule
then = Then
now = Now
o-since = Since
set-by = Set by
history = History
default-of-that-day = Default of that day
default = Default
see-what-it-does = See what it does
what-the-rule-was = What the rule was
history-of-this-rule = History of this rule
the-institution = The institution
time-zone = Time zone
notifications = Notifications
contact = Contact
smallest-group-in-published-figures = Smallest group in published figures
change-these = Change these
rules-about = Each rule holds from a day on. A change never reaches back: a deal is judged by the rule of the day it was signed.
next-rule = Next
in-force-on = In force on { $day }
rule-from = { $rule } from { $day }
change-rule = Change: { $rule }
rule-set = from { $day }, set by { $name }, { $at }
rule-default = since { $day }, default
athletes-of = { $count } athletes

## What a change of a rule would have done

need-a-review-by-an-officer = Need a review by an officer
are-refused-by-a-rule = Are refused by a rule
have-a-mark = Have a mark
would-have-done = What this would have done: { $rule }
had-it-been-in-force = If it had been in force from { $from } to { $to }, for { $deals } disclosed in that time.
deals-of =
    { $count ->
        [one] 1 deal
       *[other] { $count } deals
    }
nothing-is-saved-yet = Nothing is saved yet.
save-it = Save it
change-it-again = Change it again
no-deal-would-have-been-treated-in = No deal would have been treated in another way.
such-as = Such as
not-all-deals-were-looked-at = There are more deals than are looked at.
deals-that = Deals that…
with-it = With it
fewer = Fewer
more-than = More
before-it = Before
mark-of = Mark: { $mark }
two-step = Two-step log-in
reset-two-step = Reset the second step
