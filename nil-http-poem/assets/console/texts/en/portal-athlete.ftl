## The athletes

athletes-about = Your athletes, with what they received in the period that you choose.
col-name = Name
col-year = Year
col-deals = Deals
col-received = Received
col-last = Last

## One athlete

agent-and-particulars = Agent and particulars
newest-first = newest first
no-deals-yet = No deals yet
all-transactions = All transactions
o-nothing-yet = Nothing yet.
no-filing-names-an-agent = No filing names an agent.
particulars = Particulars
account = Account
under-18 = Under 18
on-the-platform-since = On the platform since
there-are-none = There are none.
every-view-and-download-is-recorded = Every view and download is recorded with your name.
transactions-of = { $count } transactions
received-all-time = Received, all time
refunded-sum = Refunded
deals-without-decision = Disclosed deals without a decision
flagged-of = { $count } flagged
contract-number = contract { $number }
was-disclosed = “{ $title }” was disclosed
deal-state = “{ $title }”: { $state }
was-sent = “{ $title }” was sent to the clearinghouse
clearinghouse-state = Clearinghouse: { $state }
contract-of = Contract: { $name }
