"""A deal from the job to the payment, by a client generated with openapi-python-client."""

import datetime
import os
from typing import TypeVar

from nil_admin import AuthenticatedClient as AdminClient
from nil_admin.api.authentication import admin_auth_csrf_token, admin_auth_log_in
from nil_admin.api.jobs import admin_job_decide_pending
from nil_admin.models import AdminAuthLogInJsonBody, AdminJobDecidePendingJsonBody, JobDecision
from nil_admin.models import Error as AdminError
from nil_compliance import AuthenticatedClient as OfficerClient
from nil_compliance import Client as PortalClient
from nil_compliance.api.athletes import compliance_contract_download
from nil_compliance.api.authentication import compliance_auth_log_in
from nil_compliance.api.transactions import compliance_transaction_list
from nil_compliance.models import ComplianceAuthLogInBody
from nil_compliance.models import Error as ComplianceError
from nil_core import AuthenticatedClient, Client
from nil_core.api.athletes import core_contract_confirm_availability, core_deliverable_outstanding
from nil_core.api.authentication import core_auth_log_in
from nil_core.api.jobs_and_deals import (
    core_application_apply,
    core_application_hire,
    core_deliverable_change_status,
    core_deliverable_submit,
    core_job_save,
)
from nil_core.api.payments import core_payment_history_of_partner, core_payment_pay_with_saved_card
from nil_core.models import (
    Compensation,
    CoreApplicationApplyBody,
    CoreApplicationHireBody,
    CoreAuthLogInBody,
    CoreContractConfirmAvailabilityBody,
    CoreDeliverableChangeStatusBody,
    CoreDeliverableOutstandingBody,
    CoreDeliverableSubmitBody,
    CoreJobSaveBody,
    CorePaymentHistoryOfPartnerBody,
    CorePaymentPayWithSavedCardBody,
    Decision,
    Error,
    ErrorCode,
    JobStatus,
    MediaKind,
    MediaPlatform,
    PaymentStatus,
    WantedMilestone,
)

PASSWORD = "a walk along the lake"
CORE = os.environ["CORE"]
BACK_OFFICE = os.environ["BACK_OFFICE"]

Answer = TypeVar("Answer")


def good(answer: Answer | Error | AdminError | ComplianceError | None) -> Answer:
    """What an answer carries, or the server's refusal as an exception."""
    if isinstance(answer, Error | AdminError | ComplianceError):
        raise RuntimeError(f"{answer.code}: {answer.message}")
    if answer is None:
        raise RuntimeError("an answer that the document does not name")
    return answer


def user(email: str) -> AuthenticatedClient:
    """A client of the Core interface that is logged in."""
    body = CoreAuthLogInBody(email=email, password=PASSWORD)
    session = good(core_auth_log_in.sync(client=Client(base_url=f"{CORE}/api"), body=body))
    return AuthenticatedClient(base_url=f"{CORE}/api", token=session.access_token)


def operator(email: str) -> AdminClient:
    """A client of the Admin interface: it keeps the cookie, and every write carries the token."""
    client = AdminClient(
        base_url=f"{BACK_OFFICE}/admin", token="", prefix="", auth_header_name="X-CSRF-Token"
    )
    before = good(admin_auth_csrf_token.sync(client=client))
    client.get_httpx_client().headers["X-CSRF-Token"] = before.data.csrf_token
    body = AdminAuthLogInJsonBody(email=email, password=PASSWORD)
    entered = good(admin_auth_log_in.sync(client=client, body=body))
    client.get_httpx_client().headers["X-CSRF-Token"] = entered.data.csrf_token
    return client


brand = user("brand@northfieldoutdoor.example")
athlete = user("jordanrivera@students.example")

wrong = CoreAuthLogInBody(email="brand@northfieldoutdoor.example", password="wrong")
refused = core_auth_log_in.sync(client=brand, body=wrong)
assert isinstance(refused, Error) and refused.code == ErrorCode.WRONG_CREDENTIALS

wanted = CoreJobSaveBody(
    title="Game day reel",
    description="One reel on game day.",
    category_id=1,
    compensation=Compensation.CASH,
    amount_cents=125_000,
    slots=1,
    business_purpose="Introduce the autumn collection.",
    milestones=[
        WantedMilestone(
            title="Reel",
            platform=MediaPlatform.INSTAGRAM,
            media_kind=MediaKind.REEL,
            due_on=datetime.date.today() + datetime.timedelta(days=10),
            hashtags=["#ad"],
        )
    ],
)
job = good(core_job_save.sync(client=brand, body=wanted)).data
if job.status == JobStatus.PENDING:
    lee = operator("operator@nil.example")
    decision = AdminJobDecidePendingJsonBody(job_id=job.id, status=JobDecision.OPEN)
    good(admin_job_decide_pending.sync(client=lee, body=decision))

application = good(core_application_apply.sync(client=athlete, body=CoreApplicationApplyBody(job_id=job.id))).data
good(core_application_hire.sync(client=brand, body=CoreApplicationHireBody(id=application.id)))
confirmation = CoreContractConfirmAvailabilityBody(job_id=job.id)
good(core_contract_confirm_availability.sync(client=athlete, body=confirmation))
due = good(core_deliverable_outstanding.sync(client=athlete, body=CoreDeliverableOutstandingBody(job_id=job.id)))
for deliverable in due.data:
    post = CoreDeliverableSubmitBody(
        deliverable_id=deliverable.id,
        post_url="https://www.instagram.com/p/C8xYz1/",
        caption="Warm on the bench #ad",
    )
    good(core_deliverable_submit.sync(client=athlete, body=post))
    approval = CoreDeliverableChangeStatusBody(deliverable_id=deliverable.id, status=Decision.APPROVED)
    good(core_deliverable_change_status.sync(client=brand, body=approval))

succeeded = CorePaymentHistoryOfPartnerBody(per_page=1, statuses=[PaymentStatus.SUCCEEDED])
before = good(core_payment_history_of_partner.sync(client=brand, body=succeeded)).pagination.total
order = CorePaymentPayWithSavedCardBody(athlete_id=application.athlete_id, job_id=job.id)
payment = good(core_payment_pay_with_saved_card.sync(client=brand, body=order)).data
history = good(core_payment_history_of_partner.sync(client=brand, body=succeeded))
assert history.data[0].id == payment.id and history.pagination.total == before + 1

portal = PortalClient(base_url=f"{BACK_OFFICE}/api/compliance")
login = ComplianceAuthLogInBody(email="compliance@lakeshorestateuniversity.example", password=PASSWORD)
token = good(compliance_auth_log_in.sync(client=portal, body=login)).token
officer = OfficerClient(base_url=f"{BACK_OFFICE}/api/compliance", token=token)
transactions = good(compliance_transaction_list.sync(client=officer)).data
contract = good(compliance_contract_download.sync(application.athlete_id, job.id, client=officer))
assert contract.payload.read(4) == b"%PDF"
print(f"python: {payment.number}, {payment.total_cents} cents, {len(transactions)} transactions seen")
