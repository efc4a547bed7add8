-- A courier may carry mails and no text messages: what it does not carry waits, and is in nobody's way. One index serves
-- every channel.
DROP INDEX outbox_event_due;
DROP INDEX outbox_letter_due;
CREATE INDEX outbox_due ON outbox (channel, next_at, id) WHERE status = 'pending';

-- The inviter's name stands in the middle of sentences, because "the team of …" may be one. A sentence that an operator
-- has changed stays.
UPDATE template SET body = replace(body,
    '{{invited_by}} has given you access to the compliance portal of {{college_name}}, as {{role}}. Choose',
    'You have been given access to the compliance portal of {{college_name}}, as {{role}}, by {{invited_by}}. Choose')
WHERE event = 'portal_user.invited' AND channel = 'email';
