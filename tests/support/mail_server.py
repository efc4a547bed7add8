"""A mail server for the suites: takes mails, or does what the address says.

The local part of a recipient decides: refused@ and unknown-relay@ for good, later@ for now, stall@ is never answered,
hangup@ cuts the connection, spam@ refuses the whole mail, last@ is taken and the connection closed. A sender barred@ is
refused. Everything that happens is a line of JSON on standard output; the first one tells the port.
"""

import argparse
import asyncio
import email
import email.policy
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult


def tell(**what):
    print(json.dumps(what), flush=True)


class Handler:
    def __init__(self, options):
        self.options = options

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        session.host_name = hostname
        tell(event="hello", encrypted=session.ssl is not None or bool(self.options.tls))
        return responses

    async def handle_MAIL(self, server, session, envelope, address, options):
        if address.startswith("barred@"):
            return "553 5.7.1 this sender is not allowed"
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        tell(event="recipient", to=address)
        who = address.split("@")[0]
        if who == "refused":
            return f"550 5.1.1 <{address}>: there is no such mailbox"
        if who == "unknown-relay":
            return "554 5.7.1 relay access denied"
        if who == "later":
            return "451 4.7.1 greylisted"
        if who == "stall":
            await asyncio.sleep(3600)
        if who == "hangup":
            server.transport.abort()
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if any(address.startswith("spam@") for address in envelope.rcpt_tos):
            return "554 5.6.0 this looks like spam"
        raw = envelope.original_content
        mail = email.message_from_bytes(raw, policy=email.policy.default)
        tell(
            event="mail",
            sender=envelope.mail_from,
            to=envelope.rcpt_tos,
            raw=raw.decode("ascii"),
            subject=mail["Subject"],
            text=mail.get_body(("plain",)).get_content(),
            html=mail.get_body(("html",)).get_content(),
        )
        if any(address.startswith("last@") for address in envelope.rcpt_tos):
            asyncio.get_running_loop().call_soon(self.leave, server)
        return "250 2.0.0 queued"

    def leave(self, server):
        server.transport.close()
        tell(event="left")


def allows(user, password):
    def check(server, session, envelope, mechanism, login):
        given = (login.login, login.password)
        fine = given == (user.encode(), password.encode())
        tell(event="login", accepted=fine)
        # Not handled: the server answers 535 itself.
        return AuthResult(success=fine, handled=False)

    return check


async def main():
    options = argparse.ArgumentParser()
    options.add_argument("--login", metavar="USER:PASSWORD")
    options.add_argument("--certificate", nargs=2, metavar=("CERTIFICATE", "KEY"))
    options.add_argument("--tls", action="store_true")
    options = options.parse_args()
    context = None
    if options.certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*options.certificate)
    settings = {"enable_SMTPUTF8": False, "hostname": "mail.test"}
    if context and not options.tls:
        settings.update(tls_context=context, require_starttls=True)
    if options.login:
        settings.update(
            authenticator=allows(*options.login.split(":")),
            auth_required=True,
            auth_require_tls=bool(context) and not options.tls,
        )
    handler = Handler(options)
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(handler, **settings), "127.0.0.1", 0, ssl=context if options.tls else None
    )
    tell(event="listening", port=server.sockets[0].getsockname()[1])
    # A line asks for all that has happened; the server ends with the test that started it.
    while await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline):
        tell(event="all")


asyncio.run(main())
