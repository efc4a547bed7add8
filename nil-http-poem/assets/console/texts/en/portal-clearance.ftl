## The packets for the clearinghouse

clearances-about = What the clearinghouse is told about deals, and what it answered.
col-deal = Deal
col-state = State
col-signed = Signed
col-reference = Reference

## One packet

packet-titled = Packet: { $title }
the-disclosed-deal = The disclosed deal
packet-pdf = Packet (PDF)
not-answered = not answered yet: { $questions }
go-there = Go there
clearinghouse-is-told = What the clearinghouse is told
compensation = Compensation
schedule = Schedule
term = Term
usage-rights = Usage rights
licensed-attributes = Licensed attributes
contract = Contract
uses-your-marks = Uses your marks
explanation = Explanation
documents = Documents
work = Work
col-where = Where
associated-question = Is the payer associated with you?
associated-hint = Your answers go to the clearinghouse with the packet.
save-answers = Save the answers
payers-own-word = The payer's own word
is-associated = It is associated with the institution.
is-not-associated = It is not associated with the institution.
asked = Asked
record-the-answer = Record the answer
record-button = Record
activity = Activity
business-purpose = Business purpose
description = Description
things-missing =
    { $count ->
        [one] 1 thing is missing
       *[other] { $count } things are missing
    }
# Two days.
from-to = { $from } to { $to }
without-end = without end
has-not-answered = It has not answered.
asked-and-due = asked { $asked }, due { $due }
