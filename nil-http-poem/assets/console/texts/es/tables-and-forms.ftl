## Refusals

refused-forbidden = No tiene permiso para hacer esto
refused-not-found = Este registro no existe aquí
refused-conflict = Esto no es posible ahora
refused-throttled = Un poco más despacio, por favor
refused-invalid = Algunos campos deben revisarse
refused-unavailable = El servicio no está disponible
refused-internal = Se produjo un error de nuestra parte
refused = La solicitud fue rechazada
refused-internal-advice = No se guardó nada. Puede enviarlo de nuevo sin riesgo: no ocurrirá dos veces. Si vuelve a suceder, indique a su operador el número de la solicitud.
refused-throttled-wait =
    No se perdió nada. Inténtelo de nuevo en { $seconds ->
        [one] 1 segundo
       *[other] { $seconds } segundos
    }.
refused-throttled-advice = No se perdió nada.
refused-not-found-advice = No existe, o usted no tiene acceso a él.
back-to-first = Volver a la primera página

## Values

yes = Sí
no = No
and-more = y { $count } más

## Tables

shown = { $shown } en pantalla
shown-of = { $shown } de { $total } en pantalla
first-page = Primera
next-page = Siguiente
export = Exportar
none = Ninguno
nothing-matches = Nada coincide con los filtros.
remove-filters = Quitar los filtros
nothing-yet = Todavía no hay nada en esta lista.
columns = Columnas
show = Mostrar
remove = quitar
yes-small = sí
no-small = no
record-number = Número { $id }

## Forms

any = Cualquiera
leave-as-it-is = Dejar como está
optional = (opcional)
add-one = Agregar uno
add-another = Agregar otro
add-of = de { $label }
one-after-the-other = Uno tras otro, separados por comas
choose = Elija
name-or-number = Nombre o número
number = Número

## What a field that cannot be read is told, after its label

must-be-whole = debe ser un número entero
must-be-record = debe ser el nombre de un solo registro, o un número
must-be-amount = debe ser un importe como 1,250.00
must-be-share = debe ser un porcentaje como 12.5
must-be-yes-or-no = debe ser sí o no
must-be-json = debe ser JSON
must-be-moment = debe ser un día y una hora
skipped-hour = no existe ese día por el cambio de hora

## Charts

as-a-table = Como tabla
titled-as-a-table = { $title }: tabla
day-head = Día

## Filters

filter-the-list = Filtrar la lista
filters = Filtros
apply = Aplicar
more-filters = Más filtros ({ $count })

## The search page

clearances-found = Autorizaciones
jobs-found = Trabajos
records-and-operations = Registros y operaciones
nothing-has-this-name = Ningún nombre contiene estas palabras.
found-more = { $count } más
operations = Operaciones

## All operations

operations-you-may-use = { $count } operaciones que usted puede usar.
find-an-operation = Buscar una operación
find = Buscar
changes = modifica

## Decisions

decision = Decisión

## The page of an operation

done = Hecho
do-it-again = Hacerlo de nuevo
token-not-shown = Las páginas no muestran su token. Un programa que lo necesite lo pide por la API, como hace el comando junto al formulario.
file = Archivo
cancel = Cancelar
what-is-shown = Lo que se muestra
answer = Respuesta
nothing-to-show = No hay nada que mostrar.
download = Descargar
who-role = Usuarios del portal ({ $role } o superior)
who-permission = Operadores ({ $permission })
who-portal = Usuarios del portal
who-operators = Operadores
about-operation = Sobre esta operación
who-may = Quién puede
strict = los campos desconocidos se rechazan
what-can-go-wrong = Qué puede fallar
as-a-command = Como comando
empty-is-dropped = El que se deja vacío se descarta.

## What somebody else changed meanwhile

changed-meanwhile = Modificado entretanto
field = Campo
yours = Lo suyo
save-in-place = Lo que escribió está en el formulario. Guarde de nuevo para ponerlo en lugar de lo que hay ahora.
