// What people do with the pages, mostly by keyboard. Each part has windows of its own.

import { statSync } from "node:fs";

import { deals, end_sessions, sports } from "./elsewhere.mjs";
import { FORM, button, field, has_focus, in_navigation, is_done, keeps, must, send, tab_to, task, type } from "./keys.mjs";
import { ALL, ONCE, look } from "./look.mjs";
import { OFFICER, OPERATOR, end, is_sign_in, office, sent, sign_in, type_sign_in, visit } from "./site.mjs";

await task("menu of a narrow window", async (page) => {
  await sign_in(page, OPERATOR);
  await page.setViewportSize({ width: 320, height: 700 });
  const link = in_navigation(page, "Payments");
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
  const link = in_navigation(page, "Transactions");
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
  await sent(page, () => in_navigation(page, "Team").click());
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

await task("palette", async (page) => {
  await sign_in(page, OPERATOR);
  const dialog = page.getByRole("dialog", { name: "Search" });
  const input = dialog.getByRole("searchbox");
  const before = in_navigation(page, "Athletes");
  await before.focus();
  await page.keyboard.press("Control+k");
  await dialog.waitFor();
  must(await has_focus(input), "its field has the focus");
  await dialog.getByRole("listitem").filter({ hasText: "operation" }).first().waitFor({ state: "attached" });
  await look(page, "palette", ALL);
  await page.keyboard.press("Escape");
  must(!(await dialog.isVisible()), "Escape closes it");
  must(await has_focus(before), "Escape gives the focus back");

  // Whoever types at once does not wait for the list of operations.
  await page.reload();
  let let_go;
  const typed = new Promise((done) => { let_go = done; });
  await page.route("**/console/all", async (route) => {
    await typed;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("payments");
  const text = await page.evaluate(() => document.activeElement.value);
  must(text === "payments", "what is typed right after Ctrl-K is in the field");
  let_go();
  await dialog.waitFor();
  await page.unroute("**/console/all");
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
  throw new Error("no form has rows");
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

await task("answer to a dispute", async (page) => {
  await sign_in(page, OPERATOR);
  await sent(page, () => in_navigation(page, "Disputes").click());
  await look(page, "/console/disputes", ALL);
  await sent(page, () => page.getByRole("link", { name: "To answer" }).click());
  await tab_to(page, page.locator("table[data-keys] tbody th a").first());
  await sent(page, () => page.keyboard.press("Enter"));
  const main = page.getByRole("main");
  must((await main.getByText("Hand evidence in by").count()) === 1, "the page says until when");
  await look(page, "a dispute", ALL);
  const file = page.getByRole("link", { name: "Evidence, PDF" });
  await tab_to(page, file);
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  must(statSync(await download.path()).size > 20_000, "the evidence has the contract");
  const statement = page.getByRole("textbox", { name: "Statement" });
  await tab_to(page, statement);
  await page.keyboard.type("The post was published as agreed.");
  await tab_to(page, page.getByRole("button", { name: "Hand it in" }));
  await sent(page, () => page.keyboard.press("Enter"));
  must((await main.getByText("Evidence was handed in").count()) === 1, "the page says that it is handed in");
  must((await statement.count()) === 0, "it is handed in once");
  await look(page, "a dispute with the bank", ALL);
});

await task("settling a difference without scripts", async (page) => {
  await sign_in(page, OPERATOR);
  await sent(page, () => in_navigation(page, "Differences").click());
  await sent(page, () => page.locator("table[data-keys] tbody th a").first().click());
  const name = await page.getByRole("heading", { level: 1 }).innerText();
  const settle = () => page.getByRole("main").getByRole("button", { name: "Settle it" });
  let answer = await sent(page, () => settle().click());
  must(answer.status() === 422, `without a note: status ${answer.status()}`);
  await page.getByRole("textbox", { name: "Note" }).fill("A test of the new terminal. It was refunded there.");
  answer = await sent(page, () => settle().click());
  must(answer.status() === 200 && (await settle().count()) === 0, `${name} is settled: status ${answer.status()}`);
  must((await page.getByText("A test of the new terminal.").count()) > 0, "the note is shown");
}, { javaScriptEnabled: false });

await end();
