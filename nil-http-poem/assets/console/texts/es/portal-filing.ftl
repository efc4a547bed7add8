## Clocks: how much of a time is used

clock-in-time = a tiempo
clock-late = con retraso
clock-left = quedan { $span }
clock-given = presentado el { $at }, plazo hasta el { $until }
clock-ends = termina el { $at }
clock-none = No se conoce el día de la firma, por lo que no corre ningún plazo.
clock-agent = Aviso del agente
clock-athlete = Aviso del atleta
clock-over = terminado
clock-cancelled = Cancelado el { $at }.
clock-may-cancel = El atleta puede cancelar

## The filings of agents

filings-about = Contratos de sus atletas con agentes, y los avisos de ambas partes.
col-agent = Agente
col-notice-due = Aviso hasta
col-may-cancel = Puede cancelar hasta
col-kind = Tipo
file-agent-notice = Presentar un aviso de agente

## One filing

decide-acknowledge = Acusar recibo
decide-acknowledge-about = La institución ha recibido el aviso.
decide-return = Devolver
decide-return-about = Vuelve para completarse; se necesita un motivo.
decide-terminate = Dar por terminado
decide-terminate-about = El contrato al que se refiere ha terminado.
filing-reason-hint = Lo leen el agente y el atleta. Es necesario para devolver.
agent-for = { $agent } en representación de { $athlete }
counted-from = Contados desde la firma el { $at }
ago = hace { $span }
version-small = versión { $version }
the-clocks = Los plazos
correct-filing = Corregir la declaración
documents-zip = Documentos (ZIP)
versions = Versiones
col-version = Versión
col-by = Por
col-when = Cuándo
complete-question = ¿Está completa?
not-given = no consta
guardian = Tutor legal
business = Empresa
address = Dirección
phone = Teléfono
registered = Registrado
also-in = También en
services = Servicios
consideration = Contraprestación
other-pay = Otros pagos
expenses = Gastos
persons-paid = Personas a las que paga el agente
cancelled = Cancelado
agent-named = Agente identificado
registration = Registro
day-of-signing = Día de la firma
separate-acknowledgement = Reconocimiento por separado
the-agents-notice = El aviso del agente
the-athletes-notice = El aviso del atleta
warning-notice = Advertencia en el contrato
no-warning-notice = el contrato no la incluye
