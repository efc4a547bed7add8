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
