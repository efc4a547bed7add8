// What people do with the pages, mostly by keyboard. Each part has windows of its own.

import { createHmac } from "node:crypto";
import { statSync } from "node:fs";

import { colleagues, deals, end_sessions, sports } from "./elsewhere.mjs";
import { ALL, ONCE, look } from "./look.mjs";
import {
  OFFICER, OPERATOR, PASSWORD, end, heading, is_sign_in, office, open, part, say, sent, sign_in, type_sign_in, visit,
} from "./site.mjs";

/** Operators without much to do. */
const FEW = { ...OPERATOR, email: "few@nil.example" };
const SECOND = { ...OPERATOR, email: "second@nil.example" };
/** A form that makes a record with few fields, and its button. */
const FORM = "/console/op/category.save_sport";
const INVITATION = "/portal/op/portal_user.invite";

/** The part that runs, as its findings name it. */
let now = "";

function must(holds, what) {
  if (!holds) say(now, `not so: ${what}`);
}

/** A part with a window; it ends with the window. */
function task(name, act, options) {
  return part(name, async () => {
    now = name;
    const page = await open(options);
    try {
      await act(page);
    } finally {
      await page.context().close();
    }
  });
}

/** A field of the form that the page shows, by the name that the operation has for it. */
function field(page, name) {
  return page.locator(`main form[method=post] [name="${name}"]`);
}

/** The button that sends the form. */
function button(page) {
  return page.locator("main form[method=post] button:not([name])").first();
}

function has_focus(locator) {
  return locator.evaluate((it) => it === document.activeElement);
}

/** Presses Tab until something has the focus. */
async function tab_to(page, locator) {
  for (let presses = 0; presses < 300; presses++) {
    if (await has_focus(locator)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("the Tab key does not get there");
}

/** Fills in fields by keyboard: from one to the next by the Tab key. */
async function type(page, values) {
  for (const [name, value] of Object.entries(values)) {
    await tab_to(page, field(page, name));
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type(value);
  }
}

/** Sends the form by keyboard. */
async function send(page) {
  await tab_to(page, button(page));
  return sent(page, () => page.keyboard.press("Enter"));
}

/** Whether the page says that something was done. */
async function is_done(page) {
  return (await page.getByRole("status").count()) > 0;
}

/** Holds that the page's fields have these values. */
async function keeps(page, values) {
  for (const [name, value] of Object.entries(values)) {
    must((await field(page, name).inputValue()) === value, `what was typed as ${name} is lost`);
  }
}

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
  must(await page.getByText(typed.name).isVisible(), "the sign-in shows what it keeps");
  must((await colleagues(typed.email)) === 0, "nothing is sent before the sign-in");
  await look(page, "session ended", ALL);
  await type_sign_in(page, OFFICER.email, "a walk along the shore");
  must(await page.getByText(typed.name).count() > 0, "a wrong password does not lose what is kept");
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
    const link = page.getByRole("navigation").getByRole("link", { name: "Athletes" });
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

await task("menu of a narrow window", async (page) => {
  await sign_in(page, OPERATOR);
  await page.setViewportSize({ width: 320, height: 700 });
  const link = page.getByRole("navigation").getByRole("link", { name: "Payments" });
  must(!(await link.isVisible()), "the navigation is folded");
  const menu = page.getByRole("button", { name: "Menu" });
  await tab_to(page, menu);
  await page.keyboard.press("Enter");
  must(await link.isVisible(), "the button unfolds it");
  await page.keyboard.press("Escape");
  must(!(await link.isVisible()), "Escape folds it");
  must(await has_focus(menu), "Escape gives the focus back");
  await page.keyboard.press("Enter");
  await tab_to(page, link);
  await sent(page, () => page.keyboard.press("Enter"));
  must((await page.title()).length > 0 && !(await is_sign_in(page)), "its links lead on");
});

await task("past the navigation", async (page) => {
  await sign_in(page, OFFICER);
  await visit(page, "/portal/all");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  must(await page.evaluate(() => document.querySelector("main").contains(document.activeElement)), "the skip link leads to the content");
});

await task("filter kept through Back", async (page) => {
  await sign_in(page, OFFICER);
  const link = page.getByRole("navigation").getByRole("link", { name: "Transactions" });
  await sent(page, () => link.click());
  const rows = () => page.locator("main table tbody tr").allInnerTexts();
  const all = await rows();
  const search = () => page.locator("main [name=q]:visible").first();
  await tab_to(page, search());
  await page.keyboard.type("jordan");
  await sent(page, () => page.keyboard.press("Enter"));
  const [address, some] = [page.url(), await rows()];
  must(new URL(address).searchParams.get("q") === "jordan", "the filter is in the address");
  must(!/=(&|$)/.test(address), "empty filters are not in the address");
  must(some.length > 0 && some.join() !== all.join(), "the filter filters");
  await sent(page, () => page.getByRole("navigation").getByRole("link", { name: "Team" }).click());
  await page.goBack();
  must(page.url() === address, "Back leads to the same address");
  must((await rows()).join() === some.join(), "Back shows the same rows");
  must((await search().inputValue()) === "jordan", "the field shows the filter");
  await page.reload();
  must((await rows()).join() === some.join(), "a reload shows the same rows");
  const chip = page.locator("main a").filter({ hasText: "remove" }).first();
  await sent(page, () => chip.click());
  must(!new URL(page.url()).searchParams.has("q"), "the chip removes the filter");
});

await task("export", async (page) => {
  await sign_in(page, OFFICER);
  for (const [path, ending] of [["/portal/op/transaction.export", ".zip"], ["/portal/op/athlete.export", ""]]) {
    await visit(page, path);
    const go = page.getByRole("button", { name: "Download" });
    await tab_to(page, go);
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    const name = download.suggestedFilename();
    must(name.endsWith(ending) && name.includes("."), `the file has the name ${name}`);
    must(statSync(await download.path()).size > 200, `${name} has content`);
    must(page.url() === office + path, "the page stays");
  }
});

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

await task("palette", async (page) => {
  await sign_in(page, OPERATOR);
  const dialog = page.getByRole("dialog", { name: "Search" });
  const input = dialog.getByRole("searchbox");
  const before = page.getByRole("navigation").getByRole("link", { name: "Athletes" });
  await before.focus();
  await page.keyboard.press("Control+k");
  await dialog.waitFor();
  must(await has_focus(input), "its field has the focus");
  await dialog.getByRole("listitem").filter({ hasText: "operation" }).first().waitFor({ state: "attached" });
  await look(page, "palette", ALL);
  await page.keyboard.press("Escape");
  must(!(await dialog.isVisible()), "Escape closes it");
  must(await has_focus(before), "Escape gives the focus back");

  await page.reload();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("payments");
  must((await input.inputValue().catch(() => "")) === "payments", "what is typed right after Ctrl-K is in its field");
  await input.fill("payments");
  await page.keyboard.press("ArrowDown");
  const link = page.locator(":focus");
  must(await dialog.locator("a:focus").count() === 1, "the arrow leads to the first one found");
  const wanted = new URL(await link.getAttribute("href"), office).href;
  await sent(page, () => page.keyboard.press("Enter"));
  must(page.url() === wanted, "Enter opens it");

  await page.keyboard.press("Control+k");
  await dialog.waitFor();
  await page.keyboard.type("save a sport");
  await page.keyboard.press("ArrowDown");
  await sent(page, () => page.keyboard.press("Enter"));
  must(page.url() === office + FORM, "it finds operations");

  await page.keyboard.press("Control+k");
  await dialog.waitFor();
  await page.keyboard.type("rivera");
  await sent(page, () => page.keyboard.press("Enter"));
  must(page.url().endsWith("/search?q=rivera"), "Enter in the field searches");
});

await task("refused form", async (page) => {
  const typed = { position: "7", slug: "not a slug!" };
  await sign_in(page, OPERATOR);
  await visit(page, FORM);
  await type(page, typed);
  let answer = await send(page);
  must(answer.status() === 422, `status ${answer.status()}`);
  const errors = page.locator("#errors");
  must(await has_focus(errors), "the summary has the focus");
  await keeps(page, typed);
  await look(page, "refused form", ALL);
  const links = errors.getByRole("link");
  must((await links.count()) > 0, "the summary links to the fields");
  for (const link of await links.all()) {
    await link.focus();
    await page.keyboard.press("Enter");
    const target = page.locator(":target");
    must((await target.count()) === 1, `a link of the summary leads nowhere: ${await link.getAttribute("href")}`);
    if ((await target.count()) !== 1) continue;
    must((await target.getAttribute("aria-invalid")) === "true", "the field is marked");
    const about = (await target.getAttribute("aria-describedby")) ?? "";
    must(about.split(" ").some((id) => id.endsWith("-e")), "the field is described by its error");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    must(await has_focus(target), "the link of the summary leads to its field");
  }
  await visit(page, FORM);
  await type(page, { name: "Curling, mixed", position: "7" });
  await send(page);
  must(await is_done(page), "the form is sent");
  await look(page, "form that was sent", ALL);

  const again = { name: "Curling, mixed", position: "9" };
  await visit(page, FORM);
  await type(page, again);
  answer = await send(page);
  must(answer.status() === 409 || answer.status() === 422, `the same name again: status ${answer.status()}`);
  await keeps(page, again);
  must(await has_focus(errors), "the summary has the focus again");
});

await task("form sent twice", async (page) => {
  const name = "Curling, twice";
  await sign_in(page, OPERATOR);
  await visit(page, FORM);
  await type(page, { name });
  await button(page).dblclick();
  await page.getByRole("status").waitFor();
  must((await sports(name)) === 1, "a double click makes one record");
  // The answer is the same again when the page that follows the form is loaded once more.
  await page.reload();
  must((await is_done(page)) && (await sports(name)) === 1, "a reload makes no second record");
});

await task("another row of a form", async (page) => {
  await sign_in(page, OPERATOR);
  await visit(page, "/console/all");
  const forms = await page.locator("#ops li:has(small) a").evaluateAll((all) => all.map((it) => it.getAttribute("href")));
  for (const path of forms) {
    const html = await (await page.request.get(office + path)).text();
    if (!html.includes('name="more"')) continue;
    await visit(page, path);
    const more = page.locator("button[name=more]").first();
    const fields = page.locator("main form[method=post]").locator("input, select, textarea");
    const before = await fields.count();
    const text = page.locator("main form[method=post] input[type=text]:not([inputmode])").first();
    await text.fill("kept");
    await tab_to(page, more);
    await sent(page, () => page.keyboard.press("Enter"));
    must((await fields.count()) > before, `${path} gets another row`);
    must((await text.inputValue()) === "kept", `${path} keeps what was typed`);
    await look(page, `${path}, another row`, ALL);
    return;
  }
  say(now, "no form has rows");
});

await task("inbox by keys", async (page) => {
  await sign_in(page, OFFICER);
  await visit(page, "/portal");
  // Late items cannot be snoozed; the group after them can.
  const names = page.locator("table[data-keys] tbody:nth-of-type(2) th a");
  await page.keyboard.press("j");
  must(!(await has_focus(names.first())), "letters do nothing outside of the list");
  await tab_to(page, names.first());
  await page.keyboard.press("j");
  must(await has_focus(names.nth(1)), "j leads to the next one");
  await page.keyboard.press("x");
  const row = names.nth(1).locator("xpath=ancestor::tr");
  must(await row.getByRole("checkbox").isChecked(), "x selects it");
  await page.keyboard.press("k");
  must(await has_focus(names.first()), "k leads to the one before");
  const bar = page.locator("[data-bulk]");
  must((await bar.innerText()).includes("1 selected"), "the bar says how many are selected");
  await look(page, "/portal, one selected", ONCE, { stops: true });
  must((await bar.getByRole("combobox").count()) === 1, "the bar asks to whom to assign");
  const before = await names.count();
  await tab_to(page, bar.getByRole("button", { name: "Snooze" }));
  await sent(page, () => page.keyboard.press("Enter"));
  must(await is_done(page), "the answer says what was done");
  must((await names.count()) === before - 1, "one is snoozed");
  await look(page, "/portal, one snoozed", ALL);
});

await task("decision on a disclosed deal", async (page) => {
  await sign_in(page, OFFICER);
  await visit(page, "/portal");
  const [deal] = await deals("submitted");
  await tab_to(page, page.locator(`main table a[href$="/deals/${deal}"]`));
  await sent(page, () => page.keyboard.press("Enter"));
  const reason = page.getByRole("textbox", { name: "Reason" });
  const stay = page.getByRole("button", { name: "Decide", exact: true });
  // One stop for all choices; the arrows lead from one to the next.
  const choose = async (choice) => {
    const chosen = page.getByRole("radio", { checked: true });
    await tab_to(page, (await chosen.count()) ? chosen : page.getByRole("radio").first());
    for (let presses = 0; presses < 9 && !(await choice.isChecked()); presses++) await page.keyboard.press("ArrowDown");
    await tab_to(page, stay);
    return sent(page, () => page.keyboard.press("Enter"));
  };
  await choose(page.getByRole("radio", { name: /review/i }));
  must((await deals("under_review")).includes(deal), "the review is started");
  const reject = page.getByRole("radio", { name: /^Reject/ });
  const answer = await choose(reject);
  must(answer.status() === 422 && (await has_focus(page.locator("#errors"))), `without a reason: status ${answer.status()}`);
  must(await reject.isChecked(), "the choice is kept");
  await look(page, "decision without a reason", ALL);

  await tab_to(page, reason);
  await page.keyboard.type("The sum is missing.");
  await end_sessions(OFFICER);
  await tab_to(page, stay);
  await sent(page, () => page.keyboard.press("Enter"));
  must(await is_sign_in(page), "the form of an ended session leads to the sign-in");
  await type_sign_in(page, OFFICER.email);
  must(!(await is_sign_in(page)), "the sign-in leads on");
  must((await deals("rejected")).includes(deal), "the deal is rejected");
});

await task("few rights", async (page) => {
  await sign_in(page, FEW);
  await visit(page, "/console/all");
  const navigation = page.getByRole("navigation");
  must((await navigation.getByRole("link", { name: "Job review" }).count()) === 1, "what they may is in the navigation");
  must((await navigation.getByRole("link", { name: "Payments" }).count()) === 0, "what they may not is not in the navigation");
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

await task("second step", async (page) => {
  const name = "Curling in two steps";
  await sign_in(page, SECOND);
  await visit(page, "/console/op/totp.start");
  await type(page, { current_password: PASSWORD });
  await send(page);
  const secret = (await page.getByRole("main").innerText()).match(/\b[A-Z2-7]{16,}\b/)?.[0];
  if (!secret) throw new Error("the page does not show the secret");
  // A code counts once, and so do those before it; the one before now and the one after it count as well.
  let step = Math.floor((Date.now() / 1000 + 5) / 30) - 1;
  await visit(page, "/console/op/totp.confirm");
  await type(page, { totp: code(secret, step) });
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
  await page.getByLabel("Code").fill(code(secret, ++step));
  await sent(page, () => page.keyboard.press("Enter"));
  must(page.url() === `${office}/console/all`, "the right code leads to the page that was asked for");

  await visit(page, FORM);
  await type(page, { name });
  await page.context().clearCookies();
  await send(page);
  await type_sign_in(page, SECOND.email);
  await page.getByLabel("Code").fill(code(secret, ++step));
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
