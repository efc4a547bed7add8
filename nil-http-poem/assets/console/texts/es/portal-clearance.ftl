## The packets for the clearinghouse

clearances-about = Lo que se comunica a la cámara de compensación sobre los acuerdos, y lo que respondió.
col-deal = Acuerdo
col-state = Estado
col-signed = Firmado
col-reference = Referencia

## One packet

packet-titled = Expediente: { $title }
the-disclosed-deal = El acuerdo divulgado
packet-pdf = Expediente (PDF)
not-answered = sin responder todavía: { $questions }
go-there = Ir allí
clearinghouse-is-told = Lo que se comunica a la cámara de compensación
compensation = Compensación
schedule = Calendario
term = Vigencia
usage-rights = Derechos de uso
licensed-attributes = Atributos cedidos
contract = Contrato
uses-your-marks = Usa sus marcas registradas
explanation = Explicación
documents = Documentos
work = Trabajo
col-where = Dónde
associated-question = ¿Está el pagador asociado con su institución?
associated-hint = Sus respuestas se envían a la cámara de compensación con el expediente.
save-answers = Guardar las respuestas
payers-own-word = Lo que declara el pagador
is-associated = Está asociado con la institución.
is-not-associated = No está asociado con la institución.
asked = Consultado
record-the-answer = Registrar la respuesta
record-button = Registrar
activity = Actividad
business-purpose = Finalidad comercial
description = Descripción
things-missing =
    { $count ->
        [one] Falta 1 dato
       *[other] Faltan { $count } datos
    }
from-to = del { $from } al { $to }
without-end = sin límite de tiempo
has-not-answered = No ha respondido.
asked-and-due = consultado el { $asked }, vence el { $due }
