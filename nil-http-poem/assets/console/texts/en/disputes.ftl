## Disputes

dispute = Dispute
to-answer = To answer
asked-about = Asked about
with-the-bank = With the bank
lost = Lost
won = Won
withdrawn = Withdrawn
evidence-due = Evidence due
who-bears-it = Who bears it
what-payees-bear = What payees bear
a-subscription = a subscription
evidence-pdf = Evidence, PDF
# $state is such as “Needs response”.
dispute-is = Dispute: { $state }
time-is-over = over
# $span is such as “6 days”.
time-left = { $span } left
no-money-has-moved-yet = No money has moved yet
the-platform-until-it-is-decided = the platform, until it is decided
payees-and-the-platform = payees { $payees }, the platform { $platform }
the-platform-all-of-it = the platform, all of it
the-platform-the-fee = the platform, the fee of { $fee }
nobody = nobody
count-disputes =
    { $count ->
        [unknown] Many disputes
        [one] 1 dispute
       *[other] { $count } disputes
    }

## One dispute

dispute-of = Dispute of { $amount }
evidence-is-due = Hand evidence in by { $at }
evidence-was-due = Evidence was due by { $at }
evidence-is-awaited = The bank waits for evidence
the-bank-may-take-none = The bank may take none any more. Without evidence the dispute is lost.
without-evidence-it-is-lost = Without evidence the bank decides for the cardholder.
a-refund-ends-it = A refund of the payment in time ends it. Otherwise the bank may take the money back.
look-at-the-refund = Look at the refund
the-bank-decides = The bank decides, usually within weeks
evidence-was-handed-in = Evidence was handed in on { $at }. The money stays with the bank until it has decided.
dispute-ended = { $state } on { $at }
the-money-is-back = The money is back, and what waited in wallets is free. The processor keeps { $fee }.
it-came-to-nothing = It came to nothing. The processor keeps { $fee }.
lost-means = If it is lost, the cardholder keeps { $amount }: payees give back { $payees }, the platform bears { $platform } and the processor's fee of { $fee }.
it-was-lost = The cardholder keeps { $amount }: payees gave back { $payees }, the platform bears { $platform } and the processor's fee of { $fee }.
won-means = If the bank decides for the platform, { $amount } comes back.
it-is-of-a-subscription = The charge was for a period of a subscription. The platform alone bears it.
disputed = Disputed
payees-bear = Payees bear
waits-in-wallets = { $amount } wait in wallets
fee-of-it = fee { $fee }
kept-by-the-processor = Kept by the processor
ended = Ended
at-the-processor = At the processor
handed-in-statement = The statement that was handed in
evidence = Evidence
evidence-about = The contracts, who agreed to them, the work and the latest messages, as the bank gets them.
answer-it = Answer it
statement = Statement
statement-hint = Why the charge is right, in your own words. The bank reads it first.
accept-instead = Or accept it
accept-it = Accept that the money is gone
all-entries = All entries

## Differences from the processor's statement

difference = Difference
ours = Ours
theirs = Theirs
found = Found
settled = Settled
gone = Gone
no-record-here = no record here
differences-told = Amounts above zero came to the platform, amounts below zero left it.
count-differences =
    { $count ->
        [unknown] Many differences
        [one] 1 difference
       *[other] { $count } differences
    }
difference-unknown-here = It moved there, and was not requested here
look-unknown-here = A charge or a transfer that somebody made in the processor's own console, or another program with the same key.
difference-unknown-there = It moved here, and the statement has no line for it
look-unknown-there = Another account at the processor. Ask them about the key.
difference-kind = The line is of another kind than the request
look-kind = Metadata at the processor that somebody edited.
difference-twice = It moved more than once under one key
look-twice = Refund or reverse the second one there.
difference-currency = The currencies differ
look-currency = The currency of the account at the processor.
difference-amount = The amounts differ
look-amount = A charge that was taken in part.
difference-failed-here = It moved there, and failed here
look-failed-here = A movement that was given up here as never made, or a reversal that is missing there.
difference-given-up-here = It moved under a key that was given up here
look-given-up-here = It moved twice. Reverse one of the two there.
difference-open-here = It moved there, and has no outcome here
look-open-here = The log says why it cannot be settled.
difference-undone-there = It came back there, and stands here
look-undone-there = An event that was lost, or a refund or a charge that failed late.
difference-other-source = The charge there is another one than ours
look-other-source = Two charges under one key.
difference-fee = What the processor kept differs
look-fee = A price of the processor that has changed.

## One difference

what-to-look-for = What to look for
both-sides = Both sides
moved-or-requested = Moved or requested
first-found = First found
last-found = Last found
gone-since = Gone since
line-of-the-statement = Line of the statement
reference-of-the-processor = The processor's reference
key-of-the-request = Key of our request
open-for = It has been open for { $span }.
settling-moves-no-money = Settling it moves no money. It is reported again only if it is found with other facts.
what-was-found-out-and-done = What was found out, and what was done about it.

## Requests to the processor without an outcome

requests-without-an-outcome = Requests without an outcome
processor-request = Request
requested = Requested
attempt = Attempt
# $number counts from 1.
attempt-number = attempt { $number }
asked-last = Last asked
asked-next = Asked next
requests-told = The processor has not said what became of them. It is asked again and again.
count-processor-requests =
    { $count ->
        [unknown] Many requests
        [one] 1 request
       *[other] { $count } requests
    }
request-of = A request to the payment processor for { $amount }
the-outcome-is-unknown = The processor has not said what became of it
what-to-do-about-a-request = Ask the processor's support, or look for the key in its metadata there. Once the request is a day old, decide about it.
decide-about-it = Decide about it
the-money-has-moved = The money has moved
moved-means = It stands at the processor, and its id there is known.
it-was-not-made = It was not made
not-made-means = Nothing has moved there, and nothing will.
how-it-was-found-out = How it was found out, such as the number of the support case.
