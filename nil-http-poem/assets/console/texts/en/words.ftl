## Days, times and spans

# A month, short. It stands in the messages below as $month.
month =
    { $month ->
        [1] Jan
        [2] Feb
        [3] Mar
        [4] Apr
        [5] May
        [6] Jun
        [7] Jul
        [8] Aug
        [9] Sep
        [10] Oct
        [11] Nov
       *[12] Dec
    }
day = { $month } { $day }, { $year }
# A day of about now, without its year.
short-day = { $month } { $day }
month-of-year = { $month } { $year }
# A day and a time of it.
moment = { $day }, { $time }
# A time of the clock of twelve hours.
time =
    { $hour }:{ $minute } { $half ->
        [am] am
       *[pm] pm
    }
days =
    { $count ->
        [one] { $count } day
       *[other] { $count } days
    }
hours =
    { $count ->
        [one] { $count } hour
       *[other] { $count } hours
    }
minutes =
    { $count ->
        [one] { $count } minute
       *[other] { $count } minutes
    }
zone-eastern = Eastern Time
zone-central = Central Time
zone-mountain = Mountain Time
zone-pacific = Pacific Time
by-whom = by { $name }
# An entry of the trail, such as “Listed: Athletes”.
deed = { $deed } ({ $action })
