// The same people at another place: calls of the API with sessions of their own.

import { OFFICER, OPERATOR, PASSWORD, office } from "./site.mjs";

async function answer(method, path, { body, headers = {} } = {}) {
  const sent = { method, headers: { ...headers, "content-type": "application/json" }, body: body && JSON.stringify(body) };
  const got = await fetch(office + path, sent);
  const said = await got.json();
  if (!got.ok) throw new Error(`${method} ${path}: ${got.status} ${said.code}`);
  return { said, cookie: got.headers.getSetCookie().map((one) => one.split(";")[0]).join("; ") };
}

/** The headers of an officer who has logged in. */
async function officer({ email }) {
  const { said } = await answer("POST", "/api/compliance/login", { body: { email, password: PASSWORD } });
  return { authorization: `Bearer ${said.token}` };
}

/** The headers of an operator who has logged in. */
async function operator({ email }) {
  const visit = await answer("GET", "/admin/updateCsrfToken");
  const headers = { cookie: visit.cookie, "x-csrf-token": visit.said.data.csrf_token };
  const { said, cookie } = await answer("POST", "/admin/check-login", { body: { email, password: PASSWORD }, headers });
  return { cookie, "x-csrf-token": said.data.csrf_token };
}

/** Ends all sessions of a person. */
export async function end_sessions(who) {
  if (who.side === OFFICER.side) return answer("POST", "/api/compliance/sessions/end", { body: {}, headers: await officer(who) });
  return answer("POST", "/admin/sessions/end", { body: {}, headers: await operator(who) });
}

/** How many sports have this name. */
export async function sports(name) {
  const { said } = await answer("GET", "/admin/sport-category?per_page=100", { headers: await operator(OPERATOR) });
  return said.data.filter((it) => it.name === name).length;
}

/** How many people of the institution's portal have this e-mail. */
export async function colleagues(email) {
  const { said } = await answer("GET", "/api/compliance/college/users?per_page=100", { headers: await officer(OFFICER) });
  return said.data.filter((it) => it.email === email).length;
}

/** The numbers of the disclosed deals that have a status. */
export async function deals(status) {
  const { said } = await answer("GET", `/api/compliance/disclosed-jobs?statuses=${status}&per_page=100`, { headers: await officer(OFFICER) });
  return said.data.map((it) => it.id);
}
