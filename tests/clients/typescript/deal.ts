// A deal from the job to the payment, by a client generated with openapi-typescript.

import createClient from "openapi-fetch";

import type { paths as Admin } from "./admin.js";
import type { paths as Compliance } from "./compliance.js";
import type { paths as Core } from "./core.js";

const PASSWORD = "a walk along the lake";
const core = process.env["CORE"] ?? "";
const office = process.env["BACK_OFFICE"] ?? "";

/** What an answer carries, or the server's refusal as an error. */
function good<T>(answer: { data?: T; error?: { code: string; message: string } }): T {
  if (answer.data === undefined) {
    throw new Error(`${answer.error?.code}: ${answer.error?.message}`);
  }
  return answer.data;
}

function day(ahead: number): string {
  return new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
}

/** A client of the Core interface that is logged in. */
async function user(email: string) {
  const client = createClient<Core>({ baseUrl: `${core}/api` });
  const body = { email, password: PASSWORD };
  const session = good(await client.POST("/login", { body }));
  const headers = { Authorization: `Bearer ${session.access_token}` };
  return createClient<Core>({ baseUrl: `${core}/api`, headers });
}

/** A client of the Admin interface: outside a browser, the cookie is ours to keep. */
async function operator(email: string) {
  const visitor = createClient<Admin>({ baseUrl: `${office}/admin` });
  const before = await visitor.GET("/updateCsrfToken");
  const cookie = (answer: Response) => answer.headers.getSetCookie().map((one) => one.split(";")[0]).join("; ");
  const headers = { Cookie: cookie(before.response), "X-CSRF-Token": good(before).data.csrf_token };
  const entered = await visitor.POST("/check-login", { body: { email, password: PASSWORD }, headers });
  const session = { Cookie: cookie(entered.response), "X-CSRF-Token": good(entered).data.csrf_token };
  return createClient<Admin>({ baseUrl: `${office}/admin`, headers: session });
}

const brand = await user("brand@northfieldoutdoor.example");
const athlete = await user("jordanrivera@students.example");

const refused = await brand.POST("/login", { body: { email: "brand@northfieldoutdoor.example", password: "wrong" } });
if (refused.error?.code !== "wrong_credentials") {
  throw new Error("a wrong password is refused");
}

const job = good(
  await brand.POST("/add-job", {
    body: {
      title: "Game day reel",
      description: "One reel on game day.",
      category_id: 1,
      compensation: "cash",
      amount_cents: 125_000,
      slots: 1,
      business_purpose: "Introduce the autumn collection.",
      milestones: [{ title: "Reel", platform: "instagram", media_kind: "reel", due_on: day(10), hashtags: ["#ad"] }],
    },
  }),
).data;
if (job.status === "pending") {
  const lee = await operator("operator@nil.example");
  good(await lee.POST("/job/updateJobStatusFromPending", { body: { job_id: job.id, status: "open" } }));
}

const application = good(await athlete.POST("/applyJob", { body: { job_id: job.id } })).data;
good(await brand.POST("/athleteHire", { body: { id: application.id } }));
good(await athlete.POST("/athlete/confirm-the-availability", { body: { job_id: job.id } }));
const due = good(await athlete.POST("/athleteDeliverablesV3", { body: { job_id: job.id } })).data;
for (const { id } of due) {
  const body = { deliverable_id: id, post_url: "https://www.instagram.com/p/C8xYz1/", caption: "Warm on the bench #ad" };
  good(await athlete.POST("/submitMediaPost", { body }));
  good(await brand.POST("/jobStatusChange", { body: { deliverable_id: id, status: "approved" } }));
}

const succeeded = { per_page: 1, statuses: ["succeeded" as const] };
const before = good(await brand.POST("/paymentHistoryPartner", { body: succeeded }));
const payment = good(
  await brand.POST("/submitProcessorPaymentsaved", { body: { athlete_id: application.athlete_id, job_id: job.id } }),
).data;
const after = good(await brand.POST("/paymentHistoryPartner", { body: succeeded }));
const newest: Core["/paymentHistoryPartner"]["post"]["responses"][200]["content"]["application/json"]["data"][number] | undefined =
  after.data[0];
if (newest?.id !== payment.id || after.pagination.total !== before.pagination.total + 1) {
  throw new Error("the payment stands in the list");
}

const params = { path: { jobId: job.id } };
const contract = good(await athlete.GET("/athlete/jobs/{jobId}/download-contract", { params, parseAs: "blob" }));
if (!(await contract.text()).startsWith("%PDF")) {
  throw new Error("a contract is a PDF");
}

const portal = createClient<Compliance>({ baseUrl: `${office}/api/compliance` });
const officer = good(
  await portal.POST("/login", { body: { email: "compliance@lakeshorestateuniversity.example", password: PASSWORD } }),
);
const headers = { Authorization: `Bearer ${officer.token}` };
const transactions = good(await portal.GET("/transactions", { headers })).data;
console.log(`typescript: ${payment.number}, ${payment.total_cents} cents, ${transactions.length} transactions seen`);
