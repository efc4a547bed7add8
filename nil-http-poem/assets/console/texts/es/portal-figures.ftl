## Transactions

transactions-about = Pagos a sus atletas, en la plataforma y divulgados.
col-date = Fecha
col-payer = Pagador
col-source = Origen
col-status = Estado
col-gross = Bruto
col-net = Neto
listed-not-counted = { $count } más figuran en la lista sin contarse
median = Mediana
mean = Media
of-it-disclosed = de ello, { $amount } divulgado
median-about = la mitad son menores, la otra mitad mayores
refunded = { $amount } reembolsado
gross-by-month = Bruto por mes
paid = Pagado
same-as-table = Lo mismo en una tabla
months-as-table = Los meses en una tabla
col-month = Mes
gross-by-month-about = Bruto por mes; cada uno enlaza a su mes
open-a-column = Abra una columna para ver su mes.
all-that-count = Los { $count } que cuentan

## Figures by group

by-sport = Por deporte
by-category = Por categoría
category = Categoría
by-payment = Por tipo de pago
all-count = Los { $count }
share = Porcentaje

## Statistics and records

statistics-about = Lo que la institución publica sobre un año académico, y quién solicitó registros.
no-large-group = Ningún grupo es lo bastante grande para mostrarse.
public-records = Solicitudes de registros públicos
nobody-asked = Nadie ha solicitado nada todavía
who-asked = Quién solicitó
days-asked = Días solicitados
noted-by = Anotado por
handed-out = Entregados
all-time = Todo el tiempo
all-requests = Todas las solicitudes
records-zip = Registros (ZIP)
note-a-request = Anotar una solicitud
note-button = Anotar
choose-figures = Elegir las cifras
figures-csv = Estas cifras, CSV
figures-excel = Estas cifras, Excel
together = En conjunto
groups-left-out = Grupos omitidos
fewer-than = menos de { $count } atletas
by-group = Por { $group }
for-whom = para { $name }

## Analytics

analytics-about = De dónde procede el dinero de sus atletas. Cada nombre lleva a sus transacciones.
filter-figures = Filtrar las cifras
applications-by-day = Solicitudes y contrataciones por día
applications-by-week = Solicitudes y contrataciones por semana
applications-by-month = Solicitudes y contrataciones por mes
applications-by = Solicitudes y contrataciones por { $interval }
applications = Solicitudes
hires = Contrataciones

## Transactions

with-contracts = con los contratos
