## The navigation, and what the two sites are

leads-to-portal = Al portal de cumplimiento.
kind-portal = Cumplimiento
nav-inbox = Bandeja de entrada
nav-transactions = Transacciones
nav-athletes = Atletas
nav-section-review = Revisión
nav-deals = Acuerdos divulgados
nav-clearances = Cámara de compensación
nav-filings = Declaraciones de agentes
nav-section-report = Informes
nav-analytics = Análisis
nav-statistics = Estadísticas y registros
nav-trail = Registro de actividad
nav-section-institution = Institución
nav-rules = Normas
nav-team = Equipo
leads-to-console = A la consola de operadores.
kind-console = Operadores
nav-today = Hoy
nav-jobs = Revisión de trabajos
nav-support = Asistencia
nav-section-people = Personas
nav-brands = Marcas
nav-agents = Agentes
nav-universities = Universidades
nav-section-money = Dinero
nav-payments = Pagos
nav-payouts = Desembolsos
nav-disputes = Disputas
nav-differences = Diferencias
nav-requests = Solicitudes
nav-revenue = Ingresos
nav-tax-forms = Formularios fiscales
nav-section-site = Sitio
nav-library = Biblioteca
nav-editorial = Textos del sitio
nav-templates = Plantillas
nav-announcements = Anuncios
nav-settings = Configuración
nav-reports = Informes del sitio
nav-audit = Auditoría

## The frame of every page

skip = Ir al contenido
skip-to-rows = Ir a las filas
skip-to-decision = Ir a la decisión
skip-to-form = Ir al formulario
only-print = { $house } · { $title } · impreso por { $name }, { $at } · solicitud { $request }
times-in-zone = Las horas son de: { $zone }.
request = Solicitud { $id }
menu = Menú
search = Buscar
search-palette = Buscar registros, páginas, operaciones
main-navigation = Principal
all-operations = Todas las operaciones
sign-out = Cerrar sesión
no-such-page = Esta página no existe
no-such-page-why = La dirección no lleva a ninguna parte.
not-from-here = Este formulario no procede de este sitio
not-from-here-why = Se envió desde otro sitio, o su página es demasiado antigua. No se realizó ningún cambio.
not-from-here-next = Vuelva atrás, cargue la página de nuevo y envíe el formulario otra vez.

## The search that Ctrl K opens

palette-page = página
palette-operation = operación
palette-found = # encontrados. Flechas para moverse, Intro para abrir; Intro en el campo busca registros.
palette-none = Ninguna página u operación. Intro busca registros.
