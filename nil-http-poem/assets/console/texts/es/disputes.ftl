## Disputes

dispute = Disputa
to-answer = Por responder
asked-about = Con consultas
with-the-bank = En el banco
lost = Perdidas
won = Ganadas
withdrawn = Retiradas
evidence-due = Plazo de las pruebas
who-bears-it = Quién la asume
what-payees-bear = Qué asumen los beneficiarios
a-subscription = una suscripción
evidence-pdf = Pruebas (PDF)
# $state is such as “Needs response”.
dispute-is = Disputa: { $state }
time-is-over = vencido
# $span is such as “6 days”.
time-left = quedan { $span }
no-money-has-moved-yet = Todavía no se ha movido dinero
the-platform-until-it-is-decided = la plataforma, hasta que se decida
payees-and-the-platform = los beneficiarios { $payees }, la plataforma { $platform }
the-platform-all-of-it = la plataforma, todo
the-platform-the-fee = la plataforma, la comisión de { $fee }
nobody = nadie
count-disputes =
    { $count ->
        [unknown] Muchas disputas
        [one] 1 disputa
       *[other] { $count } disputas
    }
disputes-to-answer = Disputas por responder
banks-ask-about-charges = los bancos preguntan por cargos, o los devolvieron

## One dispute

dispute-of = Disputa de { $amount }
evidence-is-due = Entregue las pruebas antes del { $at }
evidence-was-due = El plazo de las pruebas venció el { $at }
evidence-is-awaited = El banco espera pruebas
the-bank-may-take-none = Puede que el banco ya no las acepte. Sin pruebas, la disputa se pierde.
without-evidence-it-is-lost = Sin pruebas, el banco decide a favor del titular de la tarjeta.
a-refund-ends-it = Un reembolso del pago a tiempo la termina. Si no, el banco puede retirar el dinero.
look-at-the-refund = Ver el reembolso
the-bank-decides = El banco decide, normalmente en unas semanas
evidence-was-handed-in = Las pruebas se entregaron el { $at }. El dinero queda en el banco hasta que decida.
dispute-ended = { $state }, el { $at }
the-money-is-back = El dinero ha vuelto, y lo que esperaba en las carteras está libre. El procesador se queda con { $fee }.
it-came-to-nothing = No llegó a nada. El procesador se queda con { $fee }.
lost-means = Si se pierde, el titular de la tarjeta se queda con { $amount }: los beneficiarios devuelven { $payees }, y la plataforma asume { $platform } y la comisión del procesador de { $fee }.
it-was-lost = El titular de la tarjeta se queda con { $amount }: los beneficiarios devolvieron { $payees }, y la plataforma asume { $platform } y la comisión del procesador de { $fee }.
won-means = Si el banco decide a favor de la plataforma, vuelven { $amount }.
it-is-of-a-subscription = El cargo fue por un período de una suscripción. Lo asume solo la plataforma.
disputed = En disputa
payees-bear = Asumen los beneficiarios
waits-in-wallets = { $amount } esperan en carteras
fee-of-it = comisión { $fee }
kept-by-the-processor = Retenido por el procesador
opened = Abierta
answered = Respondida
ended = Terminada
at-the-processor = En el procesador
handed-in-statement = La declaración que se entregó
evidence = Pruebas
evidence-about = Los contratos, quién los aceptó, el trabajo y los últimos mensajes, tal como los recibe el banco.
answer-it = Responder
statement = Declaración
statement-hint = Por qué el cargo es correcto, con sus propias palabras. Es lo primero que lee el banco.
accept-instead = O aceptarla
accept-it = Aceptar que el dinero se perdió
payment = Pago
why = Motivo
all-entries = Todas las entradas
nothing-is-on-record = No hay nada registrado.
what-you-typed-is-kept-below-the = Lo que escribió se conserva abajo; la página muestra el estado actual.

## Differences from the processor's statement

differences-from-the-statement = Diferencias con el extracto del procesador
money-moved-otherwise-at-the-processor = allí el dinero se movió de otra manera
difference = Diferencia
ours = Lo nuestro
theirs = Lo suyo
o-record = Registro
found = Encontrada
open = Abiertas
settled = Resuelta
gone = Desaparecida
no-record-here = sin registro aquí
differences-told = Los importes mayores que cero llegaron a la plataforma, los menores salieron de ella.
count-differences =
    { $count ->
        [unknown] Muchas diferencias
        [one] 1 diferencia
       *[other] { $count } diferencias
    }
difference-unknown-here = Se movió allí, y aquí no se solicitó
look-unknown-here = Un cargo o una transferencia que alguien hizo en la consola del propio procesador, u otro programa con la misma clave.
difference-unknown-there = Se movió aquí, y el extracto no tiene ninguna línea
look-unknown-there = Otra cuenta en el procesador. Pregúnteles por la clave.
difference-kind = La línea es de otro tipo que la solicitud
look-kind = Metadatos en el procesador que alguien cambió.
difference-twice = Se movió más de una vez con una sola clave
look-twice = Reembolse o revierta allí el segundo movimiento.
difference-currency = Las monedas no coinciden
look-currency = La moneda de la cuenta en el procesador.
difference-amount = Los importes no coinciden
look-amount = Un cargo que se cobró en parte.
difference-failed-here = Se movió allí, y aquí falló
look-failed-here = Un movimiento que aquí se dio por no realizado, o una reversión que falta allí.
difference-given-up-here = Se movió con una clave que aquí se abandonó
look-given-up-here = Se movió dos veces. Revierta allí uno de los dos movimientos.
difference-open-here = Se movió allí, y aquí no tiene resultado
look-open-here = El registro del servidor dice por qué no se puede cerrar.
difference-undone-there = Volvió allí, y aquí sigue en pie
look-undone-there = Un evento perdido, o un reembolso o un cargo que falló tarde.
difference-other-source = El cargo de allí es otro que el nuestro
look-other-source = Dos cargos con una sola clave.
difference-fee = Lo que retuvo el procesador no coincide
look-fee = Un precio del procesador que ha cambiado.

## One difference

what-to-look-for = Qué buscar
both-sides = Ambos lados
moved-or-requested = Movido o solicitado
first-found = Encontrada por primera vez
last-found = Encontrada por última vez
gone-since = Desaparecida desde
line-of-the-statement = Línea del extracto
reference-of-the-processor = La referencia del procesador
key-of-the-request = Clave de nuestra solicitud
open-for = Lleva { $span } sin cerrarse.
settle-it = Resolverla
settling-moves-no-money = Resolverla no mueve dinero. Solo se informa de nuevo si se encuentra con otros datos.
what-was-found-out-and-done = Qué se averiguó, y qué se hizo al respecto.

## Requests to the processor without an outcome

requests-without-an-outcome = Solicitudes sin resultado
processor-request = Solicitud
requested = Solicitada
attempt = Intento
# $number counts from 1.
attempt-number = intento { $number }
asked-last = Última consulta
asked-next = Próxima consulta
requests-told = El procesador no ha dicho qué fue de ellas. Se le pregunta una y otra vez.
count-processor-requests =
    { $count ->
        [unknown] Muchas solicitudes
        [one] 1 solicitud
       *[other] { $count } solicitudes
    }
request-of = Una solicitud al procesador de pagos por { $amount }
the-outcome-is-unknown = El procesador no ha dicho qué fue de ella
what-to-do-about-a-request = Pregunte al soporte del procesador, o busque la clave en sus metadatos. Cuando la solicitud tenga un día, decida sobre ella.
decide-about-it = Decidir sobre ella
the-money-has-moved = El dinero se movió
moved-means = Consta en el procesador, y se conoce su identificador allí.
it-was-not-made = No se realizó
not-made-means = Allí no se ha movido nada, y nada se moverá.
how-it-was-found-out = Cómo se averiguó, por ejemplo el número del caso de soporte.
payouts-unconfirmed = Desembolsos sin confirmar
charges-unanswered = Cargos sin respuesta
refunds-unconfirmed = Reembolsos sin confirmar
the-processor-is-silent = el procesador no responde
