## The athletes

athletes-about = Sus atletas, con lo que recibieron en el período que usted elija.
col-name = Nombre
col-year = Año
col-deals = Acuerdos
col-received = Recibido
col-last = Último
athletes-csv = Estos atletas, CSV
athletes-excel = Estos atletas, Excel
