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
