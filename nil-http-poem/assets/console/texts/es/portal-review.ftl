## One disclosed deal, and the decision on it

decide-approve = Aprobar
decide-approve-about = El atleta puede seguir adelante.
decide-ask = Pedir más información
decide-ask-about = Vuelve al atleta; el plazo se mantiene.
decide-reject = Rechazar
decide-reject-about = El atleta puede corregirlo y enviarlo de nuevo.
decide-take = Comenzar la revisión
decide-take-about = El atleta ve que alguien lo está revisando.
reason = Motivo
review-reason-hint = Lo leen el atleta y el agente. Es necesario para pedir más información o rechazar.
the-deal = El acuerdo
no-description = No tiene descripción.
facts = Datos
comparable = Lo que se pagó por acuerdos comparables
before = Anterior
no-document = No incluye documentos.
document = Documento
comparable-hidden = Su función no permite verlo.
what-happened = Qué ocurrió
the-rule = la norma
your-decision = Su decisión
decide-and-next = Decidir y pasar al siguiente
decide = Decidir
check-packet = Revisar el expediente
somebody-was-faster = Alguien se adelantó
decided = Decidido
sent-to-clearinghouse = Enviado a la cámara de compensación
clearinghouse-answered = La cámara de compensación respondió
disclosed-again = Divulgado de nuevo
disclosed = Divulgado
rules-apply =
    { $count ->
        [0] No se aplica ninguna norma
        [one] Se aplica 1 norma
       *[other] Se aplican { $count } normas
    }
of-a-limit = { $sum } de un límite de { $limit }
in-force-since = en vigor desde el { $day }
due-at = vence el { $at }
somebody-was-faster-about = Lo que escribió se conserva más abajo; la página muestra cómo está ahora.

## The disclosed deals

deals-about = Acuerdos hechos fuera de la plataforma que sus atletas divulgaron.
