## Refusals

refused-forbidden = You may not do this
refused-not-found = There is no such record here
refused-conflict = This is not possible now
refused-throttled = A little slower, please
refused-invalid = Some fields need another look
refused-unavailable = The service is not ready
refused-internal = Something broke on our side
refused = This was refused
refused-internal-advice = Nothing was saved. It is safe to send it again: it will not happen twice. If it happens again, tell your operator the number of the request.
refused-throttled-wait =
    Nothing was lost. Try again in { $seconds ->
        [one] 1 second
       *[other] { $seconds } seconds
    }.
refused-throttled-advice = Nothing was lost.
refused-not-found-advice = It does not exist, or it is not yours to see.
back-to-first = Back to the first page

## Values

yes = Yes
no = No
# After the first names of a list.
and-more = and { $count } more

## Tables

# Below a table: how many rows there are on the page.
shown = { $shown } shown
shown-of = { $shown } shown of { $total }
first-page = First
next-page = Next
export = Export
none = None
nothing-matches = Nothing matches what the filters ask for.
remove-filters = Remove the filters
nothing-yet = There is nothing in this list yet.
columns = Columns
show = Show
remove = remove
# The value of a filter.
yes-small = yes
no-small = no
# A record that has no name.
record-number = Number { $id }

## Forms

# The empty choice of a filter.
any = Any
# The empty choice of a form.
leave-as-it-is = Leave as it is
optional = (optional)
add-one = Add one
add-another = Add another
# After add-one or add-another, for screen readers.
add-of = of { $label }
one-after-the-other = One after the other, with commas
choose = Choose
name-or-number = Name or number
number = Number

## What a field that cannot be read is told, after its label

must-be-whole = must be a whole number
must-be-record = must be a name that one record has, or a number
must-be-amount = must be an amount such as 1,250.00
must-be-share = must be a share such as 12.5
must-be-yes-or-no = must be yes or no
must-be-json = must be JSON
must-be-moment = must be a day and a time
skipped-hour = is skipped by the clock that day

## Charts

as-a-table = As a table
titled-as-a-table = { $title } as a table
# The head of a column.
day-head = Day

## Filters

filter-the-list = Filter the list
filters = Filters
apply = Apply
more-filters = More filters ({ $count })

## The search page

clearances-found = Clearances
jobs-found = Jobs
records-and-operations = Records and operations
nothing-has-this-name = Nothing has this in its name.
found-more = { $count } more
operations = Operations

## All operations

operations-you-may-use = { $count } operations that you may use.
find-an-operation = Find an operation
find = Find
# Marks an operation that changes something.
changes = changes

## Decisions

decision = Decision

## The page of an operation

done = Done
do-it-again = Do it again
token-not-shown = Pages do not show its token. A program that needs one starts it by the API, as the command beside the form does.
file = File
cancel = Cancel
what-is-shown = What is shown
answer = Answer
nothing-to-show = There is nothing to show.
download = Download
who-role = Portal users ({ $role } or above)
who-permission = Operators ({ $permission })
who-portal = Portal users
who-operators = Operators
about-operation = About this operation
who-may = Who may
strict = unknown fields are refused
what-can-go-wrong = What can go wrong
as-a-command = As a command
empty-is-dropped = One that is left empty is dropped.

## What somebody else changed meanwhile

changed-meanwhile = Changed meanwhile
field = Field
yours = Yours
save-in-place = What you typed stands in the form. Save again to put it in place of what is there now.
