-- The words that somebody writes with an invitation arrive in mail, text and app; a text that an operator has changed stays
-- as it is.
UPDATE template SET body = replace(body, 'See what is asked, then apply or decline by {{deadline}}:

{{url}}
',
    'See what is asked, then apply or decline by {{deadline}}:

{{url}}
{% if message %}

{{company_name}} writes:

{{message}}
{% endif %}
')
    WHERE event = 'invitation.received' AND channel = 'email' AND version = 1 AND body NOT LIKE '%message%';
UPDATE template SET body = body || '{% if message_excerpt %} They write: {{message_excerpt}}{% endif %}'
    WHERE event = 'invitation.received' AND channel = 'sms' AND version = 1 AND body NOT LIKE '%message%';
UPDATE template SET body = body || '{% if message %} They write: {{message}}{% endif %}'
    WHERE event = 'invitation.received' AND channel = 'in_app' AND version = 1 AND body NOT LIKE '%message%';
UPDATE template SET body = replace(body, 'Take your time, and read the terms with someone you trust:

{{url}}
',
    'Take your time, and read the terms with someone you trust:

{{url}}
{% if message %}

{{agent_name}} writes:

{{message}}
{% endif %}
')
    WHERE event = 'agent.invited' AND channel = 'email' AND version = 1 AND body NOT LIKE '%message%';
UPDATE template SET body = body || '{% if message_excerpt %} They write: {{message_excerpt}}{% endif %}'
    WHERE event = 'agent.invited' AND channel = 'sms' AND version = 1 AND body NOT LIKE '%message%';
UPDATE template SET body = body || '{% if message %} They write: {{message}}{% endif %}'
    WHERE event = 'agent.invited' AND channel = 'in_app' AND version = 1 AND body NOT LIKE '%message%';
