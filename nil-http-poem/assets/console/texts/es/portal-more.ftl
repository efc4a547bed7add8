## The trail

trail-about = Lo que las personas de la institución leyeron y modificaron. No se puede eliminar nada.
col-who = Quién
col-about = Sobre
col-address = Dirección
packet = Expediente
agent-filing = Declaración de agente
fields =
    { $count ->
        [one] 1 campo
       *[other] { $count } campos
    }

## The team

team-about = Las personas con acceso al portal.
role = Función
sports = Deportes
last-sign-in = Último inicio de sesión
access = Acceso
all-of-them = Todos
what-one-did = Qué hizo { $name }
wait-for-answer =
    { $count ->
        [one] 1 espera su respuesta
       *[other] { $count } esperan su respuesta
    }
asks-to-be = { $email } solicita la función { $role }
let-in-as = Dar acceso como { $role }
refuse = Rechazar
invite = Invitar a alguien
send-invitation = Enviar la invitación
save = Guardar
give-access-again = Devolver el acceso
end-access = Retirar el acceso
change-one = Modificar a { $name }

## The rules of an institution in words

rule-deadline = Plazo para divulgar
rule-threshold = Umbral de revisión
rule-approval = Aprobación
rule-hold-payouts = Desembolsos
rule-prohibited = Categorías prohibidas
rule-restricted = Categorías restringidas
rule-sponsors = Patrocinadores cuyos competidores se excluyen
rule-marks = Marcas e instalaciones
rule-blackouts = Días excluidos
rule-f1 = Estudiantes con visa F-1
rule-flags = Indicadores automáticos
business-days = { $count } días hábiles
scope-deal = por acuerdo
scope-athlete = por todos los acuerdos de un atleta
scope-payor-group = por grupo de pagadores
approval-all = Todos los acuerdos divulgados
approval-above = Acuerdos por encima del umbral
approval-associated = Acuerdos de pagadores asociados
approval-none = No es necesaria
hold-wait = Esperan a la cámara de compensación
hold-none = No esperan
rule-agent-notice = { $hours } horas; { $days } días para cancelar
name-from-to = { $name } (del { $from } al { $until })

## Rules

rules-of-a-day = Normas de un día
in-force-today = En vigor hoy
rule = Norma
then = Entonces
now = Ahora
o-since = Desde
set-by = Establecida por
history = Historial
default-of-that-day = Valor predeterminado de ese día
default = Predeterminado
see-what-it-does = Ver qué haría
what-the-rule-was = Lo que fue la norma
history-of-this-rule = Historial de esta norma
the-institution = La institución
time-zone = Zona horaria
notifications = Notificaciones
contact = Contacto
smallest-group-in-published-figures = Grupo más pequeño en cifras publicadas
change-these = Modificar estos datos
rules-about = Cada norma rige desde un día. Un cambio nunca es retroactivo: cada acuerdo se juzga por la norma del día en que se firmó.
next-rule = Próxima
change = Cambio
in-force-on = En vigor el { $day }
rule-from = { $rule } desde el { $day }
change-rule = Modificar: { $rule }
rule-set = desde el { $day }, establecida por { $name }, { $at }
rule-default = desde el { $day }, predeterminado
athletes-of = { $count } atletas

## What a change of a rule would have done

need-a-review-by-an-officer = Necesitan la revisión de un oficial
are-refused-by-a-rule = Los rechaza una norma
have-a-mark = Tienen un indicador
would-have-done = Lo que esto habría causado: { $rule }
had-it-been-in-force = Si hubiera estado en vigor del { $from } al { $to }, para { $deals } divulgados en ese tiempo.
deals-of =
    { $count ->
        [one] 1 acuerdo
       *[other] { $count } acuerdos
    }
nothing-is-saved-yet = Todavía no se ha guardado nada.
save-it = Guardar
change-it-again = Modificar de nuevo
no-deal-would-have-been-treated-in = Ningún acuerdo se habría tratado de otro modo.
such-as = Por ejemplo
not-all-deals-were-looked-at = Hay más acuerdos de los que se examinan.
deals-that = Acuerdos que…
with-it = Con ella
fewer = Menos
more-than = Más
before-it = Antes
mark-of = Indicador: { $mark }
two-step = Inicio de sesión en dos pasos
reset-two-step = Restablecer el segundo paso
