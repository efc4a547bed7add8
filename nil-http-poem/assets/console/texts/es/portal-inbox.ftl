## The inbox

disclosed-deal = Acuerdo divulgado
agent-notices = Avisos de agentes
agent-notice = Aviso de agente
deliverables = Entregables
deliverable = Entregable
inbox-late = Con retraso
inbox-waiting = En espera de su decisión
inbox-due = Por vencer
inbox-clear = Nada está retrasado y nada vence hasta el { $day }.
inbox-summary =
    { $late }, { $waiting } y { $due } más { $due ->
        [one] vence
       *[other] vencen
    } hasta el { $day }.
inbox-late-count = { $count } con retraso
inbox-none-late = Nada está retrasado
inbox-waiting-count =
    { $count ->
        [0] nada espera su decisión
        [one] 1 espera su decisión
       *[other] { $count } esperan su decisión
    }
inbox-start = Empezar con el primero
inbox-everything = Todo
inbox-filter = Filtrar la bandeja
sport = Deporte
all-sports = Todos los deportes
inbox-assigned-to = Asignado a
inbox-anybody = Cualquiera
inbox-me = Mí
inbox-nobody = Nadie
inbox-snoozed = Pospuestos
inbox-hidden = Ocultos ({ $count })
inbox-shown = Visibles
inbox-due-by = Vence hasta el
inbox-caption = Lo que vence, primero lo retrasado
inbox-select-all = Seleccionar los { $count } de esta página
col-due = Vence
col-what = Qué
col-athlete = Atleta
col-marks = Indicadores
col-amount = Importe
col-with = A cargo de
inbox-select = Seleccionar { $title }, { $athlete }
late-by = { $span } de retraso
waits-for = espera desde hace { $span }
since = desde el { $at }
due-past = venció hace { $span }
due-today = vence hoy
due-in = vence en { $span }
no-deadline = sin plazo
snoozed-until = pospuesto hasta el { $at }
selected = { $count } seleccionados
inbox-assign-to = Asignar a
inbox-assign = Asignar
inbox-snooze = Posponer hasta mañana
inbox-remind = Recordar a quienes les toca
inbox-done-heading = No queda nada pendiente
inbox-transactions = Ver las transacciones
inbox-nothing-selected = No hay nada seleccionado
inbox-assigned = { $done } de { $all } asignados
inbox-snoozed-now = { $done } de { $all } pospuestos hasta mañana
inbox-reminded = Recordatorio enviado de { $done } de { $all }
