-- Officers are told of a notice that is due in words of their own; a text that an operator has changed stays as it is.
UPDATE template SET subject = '{% if for_officer %}The notice of "{{disclosure_title}}" is due by {{due_on}}{% else %}'
    || subject || '{% endif %}'
    WHERE event = 'disclosure.due' AND channel = 'email' AND version = 1 AND subject NOT LIKE '%for_officer%';
UPDATE template SET body = replace(replace(body,
    '"{{disclosure_title}}" has to be disclosed by {{due_on}}. We have filled in what we know; please check it, complete it and submit it yourself:',
    '{% if for_officer %}A notice of "{{disclosure_title}}" of {{athlete_name}} is due by {{due_on}} and has not been given yet. The athlete and the agent have to give it. If it has reached you in another way, you can record it in the filing:{% else %}"{{disclosure_title}}" has to be disclosed by {{due_on}}. We have filled in what we know; please check it, complete it and submit it yourself:{% endif %}'),
    'Filing late can cost eligibility. Your compliance office can help.',
    '{% if for_officer %}The day is that of your institution''s rule.{% else %}Filing late can cost eligibility. Your compliance office can help.{% endif %}')
    WHERE event = 'disclosure.due' AND channel = 'email' AND version = 1 AND body NOT LIKE '%for_officer%';
