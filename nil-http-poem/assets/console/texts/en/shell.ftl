## The navigation, and what the two sites are

leads-to-portal = To the compliance portal.
kind-portal = Compliance
nav-inbox = Inbox
nav-transactions = Transactions
nav-athletes = Athletes
nav-section-review = Review
nav-deals = Disclosed deals
nav-clearances = Clearinghouse
nav-filings = Agent filings
nav-section-report = Report
nav-analytics = Analytics
nav-statistics = Statistics and records
nav-trail = Trail
nav-section-institution = Institution
nav-rules = Rules
nav-team = Team
leads-to-console = To the operators' console.
kind-console = Operators
nav-today = Today
nav-jobs = Job review
nav-support = Support
nav-section-people = People
nav-brands = Brands
nav-agents = Agents
nav-universities = Universities
nav-section-money = Money
nav-payments = Payments
nav-payouts = Payouts
nav-disputes = Disputes
nav-differences = Differences
nav-requests = Requests
nav-revenue = Revenue
nav-tax-forms = Tax forms
nav-section-site = Site
nav-library = Library
nav-editorial = Editorial
nav-templates = Templates
nav-announcements = Announcements
nav-settings = Settings
nav-reports = Reports
nav-audit = Audit

## The frame of every page

skip = Skip to content
skip-to-rows = Skip to the rows
skip-to-decision = Skip to the decision
skip-to-form = Skip to the form
# Stands on top of a printed page.
only-print = { $house } · { $title } · printed by { $name }, { $at } · request { $request }
# $zone is the name of a time zone, such as “Central Time”.
times-in-zone = Times are in { $zone }.
# The number of the request, which an operator can look up.
request = Request { $id }
menu = Menu
search = Search
# The field that Ctrl K opens.
search-palette = Search records, pages, operations
# What screen readers call the navigation.
main-navigation = Main
all-operations = All operations
sign-out = Sign out
no-such-page = There is no such page
no-such-page-why = The address leads nowhere.
not-from-here = This form is not from here
not-from-here-why = It was sent from another site, or its page is too old. Nothing was done.
not-from-here-next = Go back, load the page again, and send it once more.

## The search that Ctrl K opens

# The kind of what was found.
palette-page = page
palette-operation = operation
# # is the number; the page fills it in.
palette-found = # found. Arrows to move, Enter to open; Enter in the field searches records.
palette-none = No page or operation. Enter searches records.
