## Words of the catalog about disputes, differences and requests to the payment processor.


## Titles of operations

title-admin-dispute-list = Disputas
title-admin-dispute-view = Disputa
title-admin-dispute-download-evidence = Descargar las pruebas contra una disputa
title-admin-dispute-answer = Entregar pruebas contra una disputa
title-admin-dispute-accept = Aceptar una disputa
title-admin-dispute-list-terms = Qué asumen los beneficiarios de las disputas
title-admin-dispute-save-terms = Establecer qué asumen los beneficiarios de las disputas
title-admin-processor-difference-list = Diferencias con el extracto del procesador
title-admin-processor-difference-view = Diferencia con el extracto del procesador
title-admin-processor-difference-settle = Resolver una diferencia con el extracto del procesador
title-admin-processor-request-list = Solicitudes sin resultado
title-admin-processor-request-decide = Decidir sobre una solicitud sin resultado

## Verbs, and what is said afterwards

verb-admin-dispute-answer = Entregarlas
verb-admin-dispute-accept = Aceptarla
verb-admin-dispute-save-terms = Guardar
verb-admin-processor-difference-settle = Resolver
verb-admin-processor-request-decide = Decidir
says-admin-dispute-answer = Pruebas entregadas
says-admin-dispute-accept = Disputa aceptada
says-admin-dispute-save-terms = Condiciones guardadas
says-admin-processor-difference-settle = Diferencia resuelta
says-admin-processor-request-decide = Solicitud decidida

## What happens, and what stays

happens-admin-dispute-answer = El banco recibe su declaración y un documento con los contratos, quién los aceptó, qué trabajo se hizo y qué se escribió al respecto.
stays-admin-dispute-answer = Las pruebas se entregan una sola vez. El banco decide en unas semanas, y el dinero queda allí hasta entonces.
happens-admin-dispute-accept = La disputa se pierde: el titular de la tarjeta se queda con el dinero. Lo que asumen los beneficiarios se toma de sus carteras, o lo deben.
stays-admin-dispute-accept = Los pagos siguen registrados. Esto no se puede deshacer.
happens-admin-dispute-save-terms = Los atletas y los agentes devuelven esta parte de una disputa perdida, para los pagos hechos desde ahora.
stays-admin-dispute-save-terms = Los pagos anteriores conservan las condiciones de su día.
happens-admin-processor-request-decide = Los libros siguen lo que usted averiguó en el procesador.
stays-admin-processor-request-decide = Si es un error, se registra dinero que no se ha movido, o se mueve por segunda vez.

## What was done, in the audit trail

deed-admin-dispute-answer = Entregó pruebas contra una disputa
deed-admin-dispute-accept = Aceptó una disputa
deed-admin-processor-difference-settle = Resolvió una diferencia con el extracto del procesador
deed-admin-processor-request-decide = Decidió sobre una solicitud sin resultado

## Words of the interface

choice-needs-response = Requiere respuesta
choice-warning = Aviso
choice-won = Ganada
choice-lost = Perdida
choice-inquiry = Consulta
choice-chargeback = Contracargo
choice-early-warning = Aviso temprano
choice-open = Abierta
choice-settled = Resuelta
choice-gone = Desaparecida
choice-charge = Cargo
choice-refund = Reembolso
choice-payout = Desembolso
choice-subscription-charge = Cargo de suscripción
choice-subscription-refund = Reembolso de suscripción
choice-dispute = Disputa
choice-decided = Decidido

## Labels of fields

label-processor-reference = Referencia del procesador
label-fee-cents = Comisión
hint-processor-reference = El identificador del procesador de lo que se hizo. Hace falta si el dinero se movió.

## Why banks dispute charges

reason-bank-cannot-process = El banco no puede procesar el cargo
reason-check-returned = El banco devolvió el cheque
reason-credit-not-processed = El titular de la tarjeta dice que no llegó un reembolso o un abono que se le prometió
reason-customer-initiated = El titular de la tarjeta pidió a su banco que retirara el dinero
reason-debit-not-authorized = El cliente dice que no autorizó el débito
reason-duplicate = El titular de la tarjeta dice que se le cobró dos veces por lo mismo
reason-fraudulent = El titular de la tarjeta dice que no hizo el pago
reason-general = El banco no indica ningún motivo concreto
reason-incorrect-account-details = Los datos de la cuenta eran incorrectos
reason-insufficient-funds = No había suficiente dinero en la cuenta
reason-noncompliant = La red de tarjetas dice que se infringió una de sus reglas
reason-product-not-received = El titular de la tarjeta dice que no recibió lo que pagó
reason-product-unacceptable = El titular de la tarjeta dice que lo que recibió es defectuoso o no es como se describió
reason-subscription-canceled = El titular de la tarjeta dice que se le cobró después de cancelar una suscripción
reason-unrecognized = El titular de la tarjeta no reconoce el cargo en su extracto
