// Who may see a page and send a form: sessions that begin, end and are somebody else's. Each part
// has windows of its own.

import { createHmac } from "node:crypto";

import { colleagues, end_sessions, sports } from "./elsewhere.mjs";
import { FORM, field, has_focus, in_navigation, is_done, keeps, must, send, tab_to, task, type } from "./keys.mjs";
import { ALL, look } from "./look.mjs";
import { OFFICER, OPERATOR, PASSWORD, end, heading, is_sign_in, office, open, sent, sign_in, type_sign_in, visit } from "./site.mjs";

/** An operator with few rights, and one who takes up the second step. */
const FEW = { ...OPERATOR, email: "few@nil.example" };
const SECOND = { ...OPERATOR, email: "second@nil.example" };
const INVITATION = "/portal/op/portal_user.invite";

for (const who of [OFFICER, OPERATOR]) {
  await task(`sign in and out of ${who.side}`, async (page) => {
    const wanted = `${who.side}/all?q=list`;
    await visit(page, wanted);
    must(await is_sign_in(page), "a page leads to the sign-in");
    must(await has_focus(page.getByLabel("E-mail")), "the e-mail has the focus at first");
    await type_sign_in(page, who.email, "a walk along the shore");
    must(await page.getByRole("alert").isVisible(), "a wrong password is refused with a reason");
    must(await has_focus(page.getByRole("alert")), "the reason has the focus");
    must((await page.getByLabel("E-mail").inputValue()) === who.email, "the e-mail is kept");
    must((await page.getByLabel("Password").inputValue()) === "", "the password is not kept");
    await look(page, `${who.side}/sign-in, refused`, ALL);

    await type_sign_in(page, who.email);
    must(page.url() === office + wanted, `the sign-in leads to the page that was asked for, not to ${page.url()}`);
    const cookies = await page.context().cookies();
    must(cookies.length === 1 && cookies[0].httpOnly && cookies[0].sameSite === "Lax", "one cookie that no script reads");
    must((await page.evaluate(() => localStorage.length + sessionStorage.length)) === 0, "nothing is stored in the browser");
    await visit(page, `${who.side}/sign-in`);
    must(page.url() === office + who.side, "whoever is signed in is led past the sign-in");

    await visit(page, wanted);
    await tab_to(page, page.getByRole("button", { name: "Sign out" }));
    await sent(page, () => page.keyboard.press("Enter"));
    must(await is_sign_in(page), "signing out leads to the sign-in");
    await page.goBack();
    must(await is_sign_in(page), "Back does not show the pages of whoever has signed out");
    await page.context().addCookies(cookies);
    await visit(page, wanted);
    must(await is_sign_in(page), "the cookie of an ended session opens nothing");
  });
}

await task("session ends in the middle of a form", async (page) => {
  const typed = { email: "kept@lakeshorestateuniversity.example", name: "Kept Whole" };
  await sign_in(page, OFFICER);
  await visit(page, INVITATION);
  await type(page, typed);
  await field(page, "role").first().focus();
  await page.keyboard.press("Space");
  await end_sessions(OFFICER);
  await send(page);
  must(await is_sign_in(page), "the form leads to the sign-in");
  await page.getByText("What is kept").click();
  must(await page.getByText(typed.name).first().isVisible(), "the sign-in shows what it keeps");
  must((await colleagues(typed.email)) === 0, "nothing is sent before the sign-in");
  await look(page, "session ended", ALL);
  await type_sign_in(page, OFFICER.email, "a walk along the shore");
  must((await page.getByText(typed.name).count()) > 0, "a wrong password does not lose what is kept");
  await type_sign_in(page, OFFICER.email);
  must(await is_done(page), "what was typed is sent after the sign-in");
  must((await colleagues(typed.email)) === 1, "the invitation is there once");
});

await task("passwords of an ended session", async (page) => {
  await sign_in(page, OFFICER);
  await visit(page, "/portal/op/auth.change_own_password");
  await type(page, { current_password: PASSWORD, password: "a run around the lake" });
  await end_sessions(OFFICER);
  await send(page);
  must(await is_sign_in(page), "the form leads to the sign-in");
  const html = await page.content();
  must(!html.includes(PASSWORD) && !html.includes("a run around"), "the page does not keep passwords");
  await type_sign_in(page, OFFICER.email);
  must(!(await is_done(page)), "nothing is changed without the passwords");
});

await task("form of somebody else's session", async (page) => {
  const name = "Curling of another";
  await sign_in(page, OPERATOR);
  await visit(page, FORM);
  await type(page, { name });
  await end_sessions(OPERATOR);
  await send(page);
  await type_sign_in(page, SECOND.email);
  must(!(await is_done(page)) && (await sports(name)) === 0, "another account does not send what was kept");
});

await task("log-out elsewhere", async (page) => {
  for (const who of [OFFICER, OPERATOR]) {
    await sign_in(page, who);
    await end_sessions(who);
    const link = in_navigation(page, "Athletes");
    const wanted = new URL(await link.getAttribute("href"), office).href;
    await tab_to(page, link);
    await sent(page, () => page.keyboard.press("Enter"));
    must(await is_sign_in(page), `the next page of ${who.side} leads to the sign-in`);
    await type_sign_in(page, who.email);
    must(page.url() === wanted, "the sign-in leads on to that page");
  }
});

await task("scripts off", async (page) => {
  const name = "Curling by hand";
  await sign_in(page, OPERATOR);
  await visit(page, FORM);
  await type(page, { position: "3" });
  let answer = await send(page);
  must(answer.status() === 422 && (await page.getByRole("alert").isVisible()), "a form without its name is refused");
  await keeps(page, { position: "3" });
  await type(page, { name });
  await end_sessions(OPERATOR);
  await send(page);
  must(await is_sign_in(page), "the form of an ended session leads to the sign-in");
  await type_sign_in(page, OPERATOR.email);
  must((await is_done(page)) && (await sports(name)) === 1, "what was typed is sent after the sign-in");

  await visit(page, "/console/all");
  await page.getByRole("searchbox").fill("sport");
  await sent(page, () => page.keyboard.press("Enter"));
  must(page.url().endsWith("/all?q=sport"), "the search of operations is an address");
  const count = await page.locator("#ops a").count();
  must(count > 0 && count < 20, `the search finds ${count} operations`);
  await visit(page, "/console/op/category.list_sport");
  await page.locator("main [name=q]").first().fill("Curling");
  await sent(page, () => page.keyboard.press("Enter"));
  must(await page.getByRole("rowheader", { name }).or(page.getByRole("cell", { name })).first().isVisible(), "a filter works");
  await page.getByRole("link", { name: "Search" }).first().click();
  await page.waitForURL("**/search**");
  await sent(page, () => page.getByRole("button", { name: "Sign out" }).click());
  must(await is_sign_in(page), "signing out leads to the sign-in");
}, { javaScriptEnabled: false });

await task("form from elsewhere", async (page) => {
  const name = "Curling from elsewhere";
  const other = await open();
  await sign_in(other, SECOND);
  await visit(other, "/console/op/session.end");
  const foreign = await field(other, "form_token").inputValue();
  await other.context().close();

  await sign_in(page, OPERATOR);
  for (const [what, token] of [["a changed token", (own) => own.replace(/.$/, (last) => (last === "0" ? "1" : "0"))],
    ["no token", () => ""], ["another session's token", () => foreign]]) {
    await visit(page, FORM);
    await type(page, { name });
    await field(page, "form_token").evaluate((it, value) => { it.value = value; }, token(await field(page, "form_token").inputValue()));
    const answer = await send(page);
    must(answer.status() === 403, `${what}: status ${answer.status()}`);
    must((await heading(page).count()) === 1, `${what}: the refusal is a page`);
  }
  await look(page, "form from elsewhere", ALL);

  // The right token and cookie, but the browser says that another site's page sends it.
  await visit(page, FORM);
  const form = { name, form_token: await field(page, "form_token").inputValue() };
  for (const site of ["cross-site", "same-site"]) {
    const answer = await page.request.post(`${office}/console/do/category.save_sport`, { form, headers: { "sec-fetch-site": site } });
    must(answer.status() === 403, `${site}: status ${answer.status()}`);
  }
  // Nor is a link enough.
  const link = await page.request.get(`${office}/console/do/category.save_sport?name=${encodeURIComponent(name)}`);
  must(link.status() === 404, `a link: status ${link.status()}`);
  must((await sports(name)) === 0, "nothing is saved");
});

await task("few rights", async (page) => {
  await sign_in(page, FEW);
  await visit(page, "/console/all");
  must((await in_navigation(page, "Job review").count()) === 1, "what they may is in the navigation");
  must((await in_navigation(page, "Payments").count()) === 0, "what they may not is not in the navigation");
  const places = await page.locator("nav.side a").evaluateAll((all) => all.map((it) => it.getAttribute("href")));
  for (const path of new Set(places)) {
    const answer = await visit(page, path);
    must(answer.status() === 200, `${path}: status ${answer.status()}`);
  }
  for (const path of ["/console/op/payment.list", FORM]) {
    const answer = await visit(page, path);
    must(answer.status() === 403, `${path}: status ${answer.status()}`);
  }
  await look(page, "what they may not", ALL);
});

/**
 * Gives the codes of an app, each one a later one, since a code counts once. The server takes those of the half minute
 * before and after the present one; whoever asks for a third one at the end of a half minute waits for the next.
 */
function codes_of(secret) {
  let last = 0;
  return async () => {
    const now = Date.now() / 1000;
    const current = Math.floor(now / 30);
    const is_ending = now % 30 > 25;
    last = Math.max(last + 1, is_ending ? current : current - 1);
    const early = (last - 1) * 30 - now;
    if (early > 0) await new Promise((wake) => setTimeout(wake, early * 1000 + 100));
    return code(secret, last);
  };
}

await task("second step", async (page) => {
  const name = "Curling in two steps";
  await sign_in(page, SECOND);
  await visit(page, "/console/op/totp.start");
  await type(page, { current_password: PASSWORD });
  await send(page);
  const secret = (await page.getByRole("main").innerText()).match(/\b[A-Z2-7]{16,}\b/)?.[0];
  if (!secret) throw new Error("the page does not show the secret");
  const next_code = codes_of(secret);
  await visit(page, "/console/op/totp.confirm");
  await type(page, { totp: await next_code() });
  await send(page);
  must(await is_done(page), "the second step is turned on");

  await page.context().clearCookies();
  await visit(page, "/console/all");
  await type_sign_in(page, SECOND.email);
  const box = page.getByLabel("Code");
  must(await has_focus(box), "the code is asked for, and has the focus");
  await look(page, "second step", ALL);
  must(!(await page.content()).includes(PASSWORD), "the password is not in the page");
  await page.getByLabel("Code").fill("000000");
  await sent(page, () => page.keyboard.press("Enter"));
  must((await box.getAttribute("aria-invalid")) === "true", "a wrong code is refused");
  await look(page, "second step, refused", ALL);
  await page.getByLabel("Code").fill(await next_code());
  await sent(page, () => page.keyboard.press("Enter"));
  must(page.url() === `${office}/console/all`, "the right code leads to the page that was asked for");

  await visit(page, FORM);
  await type(page, { name });
  await page.context().clearCookies();
  await send(page);
  await type_sign_in(page, SECOND.email);
  await page.getByLabel("Code").fill(await next_code());
  await sent(page, () => page.keyboard.press("Enter"));
  must((await is_done(page)) && (await sports(name)) === 1, "a kept form is sent after both steps");
});

/** What an authenticator app shows (RFC 6238). */
function code(secret, step) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", key).update(counter).digest();
  const at = digest[19] & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

await end();
