## Signing in, the second step, and a session that has ended

sign-in-again = Please sign in again
# $kept is session-ended-kept, in bold.
session-ended = Your session has ended. { $kept } and is sent when you have signed in.
session-ended-kept = What you typed is kept in this page
sign-in-and-send = Sign in and send it
sign-in = Sign in
password = Password
forgotten = Forgotten your password?
sign-on-institution = Sign in through your institution
sign-on-organization = Sign in through your organization
sign-on-how = Your e-mail address says where you sign in. There is no password of this site to remember.
sign-on-continue = Continue
sign-on-going = One moment
sign-on-going-how = You are led to the sign-in page of your institution or organization.
kept-title = What is kept
email = E-mail
# Read by screen readers before what is wrong with a field.
error = Error:
second-step = Second step
second-step-how = Open your authenticator app and copy the six digits, or type a recovery code.
second-step-code = Code
sign-in-as-other = Sign in as somebody else
# Whoever is signed in, if the name is not known.
you = You

## The pages for whoever is not signed in

send = Send
back-to-sign-in = Back to the sign-in
to-sign-in = To the sign-in
