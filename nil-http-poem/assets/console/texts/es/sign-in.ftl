## Signing in, the second step, and a session that has ended

sign-in-again = Inicie sesión de nuevo
session-ended = Su sesión ha terminado. { $kept } y se enviará cuando haya iniciado sesión.
session-ended-kept = Lo que escribió se conserva en esta página
sign-in-and-send = Iniciar sesión y enviar
sign-in = Iniciar sesión
password = Contraseña
forgotten = ¿Olvidó su contraseña?
sign-on-institution = Iniciar sesión a través de su institución
sign-on-organization = Iniciar sesión a través de su organización
sign-on-how = Su correo electrónico indica dónde inicia sesión. No necesita una contraseña de este sitio.
sign-on-continue = Continuar
sign-on-going = Un momento
sign-on-going-how = Se le lleva a la página de inicio de sesión de su institución u organización.
kept-title = Lo que se conserva
email = Correo electrónico
error = Error:
second-step = Segundo paso
second-step-how = Abra su aplicación de autenticación y copie los seis dígitos, o escriba un código de recuperación.
second-step-code = Código
sign-in-as-other = Iniciar sesión con otra cuenta
you = Usted

## The pages for whoever is not signed in

send = Enviar
back-to-sign-in = Volver al inicio de sesión
to-sign-in = Ir al inicio de sesión
