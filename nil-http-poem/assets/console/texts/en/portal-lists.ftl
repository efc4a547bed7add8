## Lists of the portal

# What screen readers call the filters of a list.
filter-titled = Filter: { $title }
athlete-number = Athlete { $id }
