## Days, times and spans

month =
    { $month ->
        [1] ene
        [2] feb
        [3] mar
        [4] abr
        [5] may
        [6] jun
        [7] jul
        [8] ago
        [9] sep
        [10] oct
        [11] nov
       *[12] dic
    }
day = { $day } { $month } { $year }
short-day = { $day } { $month }
month-of-year = { $month } { $year }
moment = { $day }, { $time }
time =
    { $hour }:{ $minute } { $half ->
        [am] a. m.
       *[pm] p. m.
    }
days =
    { $count ->
        [one] { $count } día
       *[other] { $count } días
    }
hours =
    { $count ->
        [one] { $count } hora
       *[other] { $count } horas
    }
minutes =
    { $count ->
        [one] { $count } minuto
       *[other] { $count } minutos
    }
zone-eastern = hora del Este
zone-central = hora del Centro
zone-mountain = hora de la Montaña
zone-pacific = hora del Pacífico
by-whom = por { $name }
deed = { $deed } ({ $action })
