## The athletes

athletes-about = Sus atletas, con lo que recibieron en el período que usted elija.
col-name = Nombre
col-year = Año
col-deals = Acuerdos
col-received = Recibido
col-last = Último

## One athlete

agent-and-particulars = Agente y datos
newest-first = los más recientes primero
no-deals-yet = Todavía no hay acuerdos
all-transactions = Todas las transacciones
o-nothing-yet = Nada todavía.
no-filing-names-an-agent = Ninguna declaración nombra a un agente.
particulars = Datos personales
account = Cuenta
under-18 = Menor de 18 años
on-the-platform-since = En la plataforma desde
there-are-none = No hay ninguno.
every-view-and-download-is-recorded = Cada consulta y descarga queda registrada con su nombre.
transactions-of =
    { $count ->
        [one] { $count } transacción
       *[other] { $count } transacciones
    }
received-all-time = Recibido en total
refunded-sum = Reembolsado
deals-without-decision = Acuerdos divulgados sin decisión
flagged-of = { $count } señalados
contract-number = contrato { $number }
was-disclosed = «{ $title }» se divulgó
deal-state = «{ $title }»: { $state }
was-sent = «{ $title }» se envió a la cámara de compensación
clearinghouse-state = Cámara de compensación: { $state }
contract-of = Contrato: { $name }
