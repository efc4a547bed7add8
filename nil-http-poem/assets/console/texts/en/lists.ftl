## Lists

# What screen readers call the filters of a list.
filter-titled = Filter: { $title }
# A file of the rows on the page; $form is such as “CSV”.
these-counted = These { $count }, { $form }
last-month-as = Last month, { $form }
these = These, { $form }
csv = CSV
excel = Excel
select-all = Select all
select-one = Select { $name }
actions-for = Actions for { $name }

## Saved views

saved-views = Saved views
save-view = Save this view
view-name = Name of this view
remove-view = Remove { $name }
view-name-length = must be 1 to { $most } letters, for a view of this site
views-no-room = finds no room beside the others, of which there are at most { $most }
