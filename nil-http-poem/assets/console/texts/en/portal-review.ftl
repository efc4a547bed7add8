## One disclosed deal, and the decision on it

decide-approve = Approve
decide-approve-about = The athlete may go ahead.
decide-ask = Ask for more
decide-ask-about = It goes back to the athlete; the deadline stands.
decide-reject = Reject
decide-reject-about = The athlete may correct it and send it again.
decide-take = Start the review
decide-take-about = The athlete sees that somebody looks at it.
reason = Reason
review-reason-hint = The athlete and the agent read it. Needed to ask or reject.
the-deal = The deal
no-description = It has no description.
facts = Facts
comparable = What comparable deals paid
before = Before
no-document = No document came with it.
document = Document
comparable-hidden = Your role does not see it.
what-happened = What happened
the-rule = the rule
your-decision = Your decision
decide-and-next = Decide and go to the next
decide = Decide
check-packet = Check the packet
somebody-was-faster = Somebody was faster
decided = Decided
sent-to-clearinghouse = Sent to the clearinghouse
clearinghouse-answered = The clearinghouse answered
disclosed-again = Disclosed again
disclosed = Disclosed
rules-apply =
    { $count ->
        [0] No rule applies
        [one] 1 rule applies
       *[other] { $count } rules apply
    }
of-a-limit = { $sum } of a limit of { $limit }
in-force-since = in force since { $day }
due-at = due { $at }
somebody-was-faster-about = What you typed is kept below; the page shows how it stands now.

## The disclosed deals

deals-about = Deals made off the platform that your athletes disclosed.
