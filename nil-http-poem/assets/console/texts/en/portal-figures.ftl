## Transactions

transactions-about = Payments to your athletes, on the platform and disclosed.
col-date = Date
col-payer = Payer
col-source = Source
col-status = Status
col-gross = Gross
col-net = Net
listed-not-counted = { $count } more are listed, not counted
median = Median
mean = Mean
of-it-disclosed = { $amount } of it disclosed
median-about = half are lower, half higher
refunded = { $amount } refunded
gross-by-month = Gross by month
paid = Paid
same-as-table = The same as a table
months-as-table = Months as a table
col-month = Month
gross-by-month-about = Gross by month, each a link to that month
open-a-column = Open a column to look at its month.
all-that-count = All { $count } that count

## Figures by group

by-sport = By sport
by-category = By category
category = Category
by-payment = By kind of payment
all-count = All { $count }
share = Share

## Statistics and records

statistics-about = What the institution publishes about an academic year, and who asked for records.
no-large-group = No group is large enough to be shown.
public-records = Requests for public records
nobody-asked = Nobody has asked yet
who-asked = Who asked
days-asked = Days asked about
noted-by = Noted by
handed-out = Handed out
all-time = All time
all-requests = All requests
records-zip = Records (ZIP)
note-a-request = Note a request
note-button = Note
choose-figures = Choose the figures
figures-csv = These figures, CSV
figures-excel = These figures, Excel
together = Together
groups-left-out = Groups left out
fewer-than = fewer than { $count } athletes
by-group = By { $group }
for-whom = for { $name }

## Analytics

analytics-about = Where the money of your athletes comes from. A name leads to its transactions.
filter-figures = Filter the figures
applications-by-day = Applications and hires by day
applications-by-week = Applications and hires by week
applications-by-month = Applications and hires by month
applications-by = Applications and hires by { $interval }
applications = Applications
hires = Hires

## Transactions

with-contracts = with the contracts
