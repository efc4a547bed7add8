## Lists

filter-titled = Filtro: { $title }
these-counted = Estas { $count } filas, { $form }
last-month-as = El mes pasado, { $form }
these = Estas filas, { $form }
csv = CSV
excel = Excel
select-all = Seleccionar todo
select-one = Seleccionar { $name }
actions-for = Acciones para { $name }

## Saved views

saved-views = Vistas guardadas
save-view = Guardar esta vista
view-name = Nombre de esta vista
remove-view = Quitar { $name }
view-name-length = debe tener de 1 a { $most } letras, para una vista de este sitio
views-no-room = no cabe junto a las demás, que son como máximo { $most }
