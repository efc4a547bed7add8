## Today

wait-for-a-review = wait for a review
manual-reviews = Manual reviews
a-side-asked-for-help = a side asked for help
resolve = Resolve
wait-for-access = wait for access
let-in = Let in
payouts-on-hold = Payouts on hold
no-account-no-tax-form-a-clearance = no account, no tax form, a clearance
look = Look
payouts-failed = Payouts failed
the-bank-sent-them-back = the bank sent them back
try-again = Try again
payouts-unconfirmed = Payouts unconfirmed
the-processor-is-silent = the processor is silent
charges-unanswered = Charges unanswered
refunds-unconfirmed = Refunds unconfirmed
messages = Messages
disputes-to-answer = Disputes to answer
banks-ask-about-charges = banks ask about charges, or took them back
differences-from-the-statement = Differences from the processor's statement
money-moved-otherwise-at-the-processor = money moved otherwise there
could-not-be-sent = could not be sent
messages-with-the-first-text = Messages with the first text
their-own-has-a-fault = their own has a fault
things-wait =
    { $count ->
        [0] Nothing waits for you.
        [one] 1 thing waits for somebody.
       *[other] { $count } things wait for somebody.
    }
not-set-up-yet = Not set up yet
waiting = Waiting
nothing-waits = Nothing waits
queue = Queue
oldest = Oldest
failed = Failed
hires-30 = Hires and applications, 30 days
applications-a-day = Applications and hires a day
charged-30 = Charged, 30 days
charged-a-day = Amounts charged and fees a day
to-athletes = To athletes
fees = Fees
empty-queues = Empty: { $names }.
fees-of = fees { $amount }
charged-today = Charged today
charged-in-30-days = Charged in 30 days
hires-today = Hires today
fees-all-time = Fees, all time
payouts-under-way = Payouts under way
applications-of = { $count } applications
subscriptions-of = subscriptions { $amount }
clearing-of = clearing { $amount }

## Job review

pending = Pending
changes-requested = Changes requested
open = Open
rejected = Rejected
closed = Closed
completed = Completed
posted = Posted
pay = Pay
applied-hired = Applied, hired
job = Job
brand = Brand
number-small = number { $id }
brand-number = Brand { $id }
help-asked-for = Help asked for
count-jobs =
    { $count ->
        [unknown] Many jobs
        [one] 1 job
       *[other] { $count } jobs
    }
oldest-waits = The oldest waits since { $at }.
jobs-wait =
    { $count ->
        [0] No job waits.
        [one] 1 job waits.
       *[other] { $count } jobs wait.
    }
what-you-typed-is-kept-below-the = What you typed is kept below; the page shows how things stand now.
waiting-jobs = Waiting jobs
o-nothing-waits = Nothing waits.
usual-reasons = Usual reasons
decide-next = Decide, next
approve-a-deliverable = Approve a deliverable
in-place-of-the-brand-which-then = In place of the brand, which then pays for it.
settle-it = Settle it
it-opens-to-athletes-at-once = It opens to athletes at once.
ask-for-changes = Ask for changes
the-brand-corrects-it-and-sends-it = The brand corrects it and sends it again.
it-is-over = It is over.
in-your-own-words = In your own words
the-brand-reads-it-needed-unless = The brand reads it. Needed unless you approve.

## One job

job-number = Job { $id }
purpose = Purpose
product = Product
who-may-apply = Who may apply
rights = Rights
decided-before = Decided before
not-an-advertisement = Not an advertisement
institutions = Institutions
no-institution-refuses-it = No institution refuses it.
the-university = the university
places = { $count } places
comes-to = comes to { $amount }
starts = Starts
ends = Ends
of-sports = { $count } sports
of-universities = { $count } universities
least-followers = at least { $count } followers
no-conditions = Everybody: no conditions
for-ever = for ever

## Payments, revenue and tax forms

succeeded = Succeeded
partially-refunded = Partially refunded
o-refunded = Refunded
processing = Processing
payment = Payment
fee = Fee
charged = Charged
spreadsheet = spreadsheet
by-month = By month
by-brand = By brand
by-university = By university
by-plan = By plan
of = Of
fees-refunded = Fees refunded
processor-costs = Processor
dispute-fees = Dispute fees
dispute-losses = Disputes lost
kept = Kept
kept-all-time = Kept, all time
costs-of = after { $processor } for the processor, { $disputes } for disputes
missing = Missing
answered = Answered
whose = Whose
why-it-matters = Why it matters
a-payout-waits-for-it-since = a payout waits for it since
tax-is-withheld-since = tax is withheld since
near-the-amount-to-report-since = near the amount to report since
the-returns-are-due = the returns are due
amounts-to-report = Amounts to report
information-returns = Information returns
subscriptions = Subscriptions
payments-told = { $payments }, { $athletes } to athletes and { $fees } in fees
count-payments =
    { $count ->
        [unknown] Many payments
        [one] 1 payment
       *[other] { $count } payments
    }
count-requests =
    { $count ->
        [unknown] Many requests
        [one] 1 request
       *[other] { $count } requests
    }
refund = Refund…
backup-withholding = Backup withholding…
what-the-platform-keeps-fees-less = Revenue is fees less what was refunded of them, and subscriptions. What it cost counts in the month of the charge.
revenue-told = Of { $revenue }, { $processor } went to the processor, { $fees } to fees for disputes, { $losses } to lost disputes: { $kept } is kept.
outside-the-united-states = outside the United States
more-than-before = { $rate } more than before
less-than-before = { $rate } less than before
before-was = before { $was }

## A refund

refund-of = Refund { $what }
nothing-has-moved = Nothing has moved.
what-the-refund-does = What the refund does
it-is-not-possible-as-asked-so = It is not possible as asked, so there is nothing to work out.
has-now = Has now
change = Change
has-then = Has then
sum = Sum
the-wallets-do-not-cover-it = The wallets do not cover it
the-wallets-cover-it = The wallets cover it.
o-refund = Refund
work-it-out-again = Work it out again
refund-head = { $amount } to { $athlete } for { $job }
charged-at = charged { $at }
worked-out-at = worked out at { $at }; nothing has moved
owed-back = owed back
withheld-tax = withheld tax
platforms-account = The platform's { $account }
wallets-miss = { $amount } is missing. The athlete or the agent would owe it, and later earnings make it up. You have to allow that.
payout-before-refund = If a payout starts before you refund, the refund is refused and nothing moves.
from-held = { $amount } comes from payouts on hold, which the refund cancels.
refundable = At most { $amount } of the payment can be refunded.

## Reports

ready = Ready
queued = Queued
report = Report
rows = Rows
size = Size
kept-until = Kept until
whole-tables-as-files-they-are-made = Whole tables as files. They are made in the background and kept for a time.
ask-for-a-report = Ask for a report
ask-for-it = Ask for it

## Audit

o-record = Record
audit-about = Every write and every view of a contract or personal record, in a chain that shows if one is missing.
export-as-a-report = Export as a report
before-change = Before
after-change = After
of-entry = of entry { $id }

## Accounts

active = Active
onboarding = Onboarding
suspended = Suspended
deactivated = Deactivated
opened = Opened
university = University
add-an-athlete = Add an athlete
add-a-brand = Add a brand
agency = Agency
add-an-agent = Add an agent
not-listed = Not listed
division = Division
domains = Domains
add-a-university = Add a university
listed = Listed
edit = Edit
act-as = Act as…
count-athletes =
    { $count ->
        [unknown] Many athletes
        [one] 1 athlete
       *[other] { $count } athletes
    }
count-brands =
    { $count ->
        [unknown] Many brands
        [one] 1 brand
       *[other] { $count } brands
    }
count-agents =
    { $count ->
        [unknown] Many agents
        [one] 1 agent
       *[other] { $count } agents
    }
count-universities =
    { $count ->
        [unknown] Many universities
        [one] 1 university
       *[other] { $count } universities
    }

## Settings

name-and-support = Name and support
as-mails-and-documents-show-them = As mails and documents show them.
contracts-keep-the-fee-that-they = Contracts keep the fee that they were made with.
jobs-that-wait-for-a-review-still = Jobs that wait for a review still need one.
features = Features
what-began-while-a-feature-was-on = What began while a feature was on can be finished when it is off.
mail-sender = Mail sender
pictures = Pictures
kinds-of-business = Kinds of business
kinds-of-jobs = Kinds of jobs
general = General
each-save-is-in-the-audit-trail = Each save is in the audit trail.
changed-at = Changed { $at }.
more = More

## Templates

text-message = Text message
in-the-app = In the app
message = Message
text = Text
changed = Changed
of-this-channel = { $texts } of this channel.
count-texts =
    { $count ->
        [unknown] Many texts
        [one] 1 text
       *[other] { $count } texts
    }
sent = Sent
not-sent = Not sent
has-a-fault = Has a fault
first-text = First text
a-test-is-on-its-way-to-you = A test is on its way to you
this-text-has-a-fault-so-the-first = This text has a fault, so the first text is sent
subject = Subject
plain-text-without-secrets = Plain text, without secrets.
plain-text-names-in-double-braces = Plain text. Names in double braces are filled in; an unknown one is refused.
messages-of-this-kind-are-sent = Messages of this kind are sent
send-the-saved-text-to-me = Send the saved text to me
back-to-the-first-text = Back to the first text…
how-it-arrives = How it arrives
with-sample-values = with sample values
earlier-texts = Earlier texts
version-of = Version { $version }
may-be-used = May be used:
save-as-version = Save as version { $version }
replaced-at = replaced { $at }

## One account

account-number = account { $id }
pay-out = Pay out { $amount }…
act-as-one = Act as { $name }…
first-name = First name
last-name = Last name
class = Class
birth-date = Birth date
position = Position
home-town = Home town
city = City
state-of-address = State
website = Website
payout-account = Payout account
no-payouts-because = No payouts because
terms-accepted = Terms accepted
e-mail-verified = E-mail verified
history-and-particulars = History and particulars
e-mail-not-verified = E-mail not verified
send-the-verification-again = Send the verification again
audit-of-this-account = Audit of this account
close-and-erase = Close and erase…
there-is-no-deal-with-a-contract = There is no deal with a contract.
agreed = Agreed
whole-wallet = Whole wallet
no-money-has-moved = No money has moved.
balance = Balance
nothing-is-on-record = Nothing is on record.
public-profile = Public profile
agent-number = Agent { $id }
available = Available
in-the-wallet = in the wallet { $amount }
earned = Earned
all-time-small = all time
paid-out = Paid out
under-way = { $amount } under way
as-a-payer = as a brand or a subscriber
owed-back-sum = Owed back
owed-back-about = netted from later earnings
tax-withheld = Tax withheld
backup-withholding-small = backup withholding

## Payouts

payee = Payee
why = Why
arrives = Arrives
on-hold = On hold
in-transit = In transit
payout-told = payout { $id }, try { $attempt }, { $at }
o-try-again = Try again…
o-cancel = Cancel…
payout-number = payout { $id }
count-payouts =
    { $count ->
        [unknown] Many payouts
        [one] 1 payout
       *[other] { $count } payouts
    }

## Library

type = Type
folder = Folder
back-to-the-folder = Back to the folder
deleted = Deleted
put-a-file-here = Put a file here.
upload = Upload
new-folder = New folder
make-it = Make it
bring-back = Bring back
move-to = Move to
o-move-to = Move to…
move = Move
delete = Delete
rename-new-version = Rename, new version…
o-cancelled = Cancelled.
deleted-small = deleted
library-about = { $items }. What is deleted can be brought back for some time.
count-items =
    { $count ->
        [unknown] Many items
        [one] 1 item
       *[other] { $count } items
    }
upload-about = Up to 50 MiB with the form alone; with scripts larger ones are sent in parts, up to 5 GiB.

## Closing an account

close-one = Close { $name }
name-of-the-account = Name of the account
type-the-name = Type { $name } to say that you mean this one.
is-not-the-name = is not the name of the account

## Several payouts at once

new-payout-made = New payout made
pay-out-the-wallet = Pay out the wallet
payout-made = Payout made
selected-payouts = Selected payouts
leave-it = Leave it
no-agents-wallet = An agent's wallet is not paid out from here.
o-refused = Refused
done-of = { $what }: { $done } of { $all }
what-came-of-it = What came of it
payout = Payout
o-payout-number = Payout { $id }
# A button that leads to the jobs which wait.
review-them = Review
