// What officers and operators do all day, twenty tasks, each from the start page of its side by
// keyboard alone and to the end: what is written is written. Every key is counted, text that is
// typed is not. A task that takes more keys than its limit is a finding, so that a page which grows
// in the way of the work is noticed; the limit is what the task took when it was written, and a few
// for records that come and go. The clicks are those of whoever does the same with a mouse.

import { statSync } from "node:fs";

import { choose, clicks, count, field, go, has_focus, is_done, must, named, palette, pick, press, skip, tab_to, unfold, write } from "./keys.mjs";
import { OFFICER, OPERATOR, end, heading, open, sent, sign_in, visit } from "./site.mjs";

const took = [];

/** One window for all tasks of a side. */
async function side(who, tasks) {
  let page;
  for (const [name, limit, act] of tasks) {
    await named(name, async () => {
      if (!page) {
        page = await open();
        await sign_in(page, who, "");
      }
      await visit(page, who.side);
      count();
      await act(page);
      const { keys, clicks } = count();
      took.push([name, keys, limit, clicks]);
      must(keys <= limit, `it takes ${keys} keys, and should take at most ${limit}`);
    });
  }
  await page?.context().close();
}

const link = (page, name) => page.getByRole("main").getByRole("link", { name }).first();
const press_button = (page, name) => go(page, page.getByRole("main").getByRole("button", { name }).first());
const shows = async (page, text, what) => must((await page.getByRole("main").getByText(text).count()) > 0, what);

/** Opens the first row with some text of the list that a page shows, by the keys of lists. */
async function open_row(page, text) {
  await skip(page, "rows");
  const names = page.locator("table[data-keys] tbody th a");
  await tab_to(page, names.first());
  const wanted = page.locator("table[data-keys] tbody tr").filter({ hasText: text }).first().locator("th a");
  for (let presses = 0; presses < 40 && !(await has_focus(wanted)); presses++) await press(page, "j");
  clicks();
  await sent(page, () => press(page, "Enter"));
}

/** Searches a record by its name, and opens its page. */
async function find(page, name) {
  clicks();
  await press(page, "Control+k");
  await page.getByRole("dialog", { name: "Search" }).waitFor();
  await page.keyboard.type(name.toLowerCase());
  await sent(page, () => press(page, "Enter"));
  await go(page, link(page, name));
}

/** Takes a download, and holds that something is in it. */
async function downloads(page, act) {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  must(statSync(await download.path()).size > 200, `${download.suggestedFilename()} has content`);
}

await side(OFFICER, [
  ["see what is late, and open it", 6, async (page) => {
    await shows(page, /\d+ late/, "the inbox says how many are late");
    await skip(page);
    await go(page, link(page, "Start with the first"));
    await shows(page, "Late", "the record is late");
  }],
  ["decide on a disclosed deal, with a reason", 22, async (page) => {
    await open_row(page, "Signed cards");
    await skip(page, "decision");
    await choose(page, page.getByRole("radio", { name: /^Reject/ }));
    await write(page, page.getByRole("textbox", { name: "Reason" }), "Who pays for the cards is missing.");
    await press_button(page, "Decide and go to the next");
    await shows(page, /Signed cards|Rejected/, "the deal is decided on");
  }],
  ["find why a deal is marked", 20, async (page) => {
    await open_row(page, "Over threshold");
    await shows(page, /in force since/, "the rule says since when it holds");
    await skip(page);
    await go(page, link(page, "the rule"));
    must((await heading(page).innerText()) === "Rules", "the mark leads to its rule");
  }],
  ["complete a packet, and record the answer", 58, async (page) => {
    await palette(page, "clearinghouse");
    await open_row(page, "Due");
    await skip(page);
    for (const group of await page.getByRole("form", { name: "Is the payer associated with you?" }).getByRole("group").all()) {
      await choose(page, group.getByRole("radio", { name: "No" }));
    }
    await press_button(page, "Save the answers");
    await shows(page, "1 thing is missing", "the answers are in the packet");
    await palette(page, "clearinghouse");
    await open_row(page, "Submitted");
    await skip(page, "task");
    const form = page.getByRole("form", { name: "Record the answer" });
    await pick(page, form.getByRole("combobox", { name: "Status" }), "c");
    await press_button(page, "Record");
    await shows(page, "Cleared", "the answer is recorded");
  }],
  ["acknowledge an agent's filing", 21, async (page) => {
    await open_row(page, "Agent notice");
    await shows(page, "Athlete may cancel", "the clocks are on the page");
    await skip(page, "decision");
    await choose(page, page.getByRole("radio", { name: /^Acknowledge/ }));
    await press_button(page, "Decide");
    await shows(page, "Acknowledged", "the filing is acknowledged");
  }],
  ["look an athlete up before a call", 7, async (page) => {
    await find(page, "Jordan Rivera");
    must((await heading(page).innerText()) === "Jordan Rivera", "the athlete's page is open");
  }],
  ["export last month", 14, async (page) => {
    await palette(page, "transactions");
    await skip(page);
    await unfold(page, page.getByRole("main").locator("summary").filter({ hasText: "Export" }));
    await tab_to(page, page.locator("details.menu[open] a").filter({ hasText: "Last month, CSV" }));
    clicks();
    await downloads(page, () => press(page, "Enter"));
  }],
  ["change a rule from a day on", 29, async (page) => {
    await palette(page, "rules");
    await skip(page);
    await go(page, link(page, "Change Threshold of review"));
    const form = page.getByRole("form", { name: "Change: threshold of review" });
    await write(page, form.getByRole("textbox", { name: "Amount" }), "750");
    await write(page, form.getByLabel("Effective"), "01012030");
    await press_button(page, "See what it does");
    await shows(page, "Nothing is saved yet.", "what the change would have done comes first");
    await skip(page);
    await press_button(page, "Save it");
    await shows(page, /from Jan 1, 2030/, "the rule says what comes next, and when");
  }],
  ["invite a colleague", 28, async (page) => {
    await palette(page, "team");
    await skip(page);
    const form = page.getByRole("form", { name: "Invite somebody" });
    await write(page, form.getByRole("textbox", { name: "Email" }), "ines.duarte@lakeshorestateuniversity.example");
    await write(page, form.getByRole("textbox", { name: "Name" }), "Ines Duarte");
    await choose(page, form.getByRole("radio", { name: /^Officer/ }));
    await press_button(page, "Send the invitation");
    await shows(page, "Ines Duarte", "the colleague is in the list");
  }],
  ["show who saw or decided what", 14, async (page) => {
    await palette(page, "team");
    await skip(page);
    await go(page, link(page, "What Dana Whitfield did"));
    must((await heading(page).innerText()) === "Trail" && page.url().includes("portal_user"), "the trail of one person is open");
  }],
]);

await side(OPERATOR, [
  ["see the queues, and open the first", 7, async (page) => {
    await shows(page, /wait for somebody/, "the page says how many wait");
    await skip(page);
    await go(page, link(page, "Jobs"));
    await shows(page, "Rest day class", "the queue is open");
  }],
  ["approve a job", 20, async (page) => {
    await skip(page);
    await go(page, link(page, "Jobs"));
    await skip(page, "rows");
    await go(page, link(page, "Rest day class"));
    await skip(page, "decision");
    await choose(page, page.getByRole("radio", { name: /^Approve/ }));
    await press_button(page, "Decide");
    await shows(page, "Open", "the job is open");
  }],
  ["resolve a manual review", 54, async (page) => {
    await skip(page);
    await go(page, link(page, "Manual reviews"));
    await skip(page);
    await write(page, page.getByRole("main").getByRole("textbox", { name: "Search" }), "test drive weekend");
    await sent(page, () => press(page, "Enter"));
    await skip(page, "rows");
    await go(page, page.getByRole("main").getByRole("row").filter({ hasText: /help/i }).getByRole("link").first());
    await skip(page, "task");
    await write(page, page.getByRole("textbox", { name: "Note" }), "The other company agrees.");
    await press_button(page, "Settle it");
    must(!(await page.getByRole("form", { name: "Help asked for" }).count()), "the review is settled");
  }],
  ["find a user's account, deals and money", 7, async (page) => {
    await find(page, "Malcolm Abebe");
    for (const text of ["Deals", "Money", "History"]) await shows(page, text, `the account shows ${text}`);
  }],
  ["refund half a payment", 44, async (page) => {
    await palette(page, "payments");
    await skip(page);
    await go(page, link(page, "Succeeded"));
    await skip(page, "rows");
    await unfold(page, page.getByRole("main").locator("table summary").first());
    await go(page, page.locator("details.menu[open] a").filter({ hasText: "Refund" }));
    await skip(page, "task");
    const all = Number(await page.getByLabel("Amount").inputValue());
    await write(page, page.getByLabel("Amount"), String(all / 2));
    await write(page, page.getByRole("textbox", { name: "Reason" }), "One of two posts was made.");
    await press_button(page, "Work it out again");
    await skip(page, "task");
    await press_button(page, /^Refund \$/);
    await shows(page, "Partially refunded", "half is refunded");
  }],
  ["try a failed payout again", 24, async (page) => {
    await palette(page, "payouts");
    await skip(page);
    await go(page, link(page, "Failed"));
    await skip(page, "rows");
    await go(page, link(page, /^Try again/));
    await skip(page);
    await press_button(page, "Retry");
    must(await is_done(page), "another payout is under way");
  }],
  ["correct an account", 52, async (page) => {
    await find(page, "Malcolm Abebe");
    await skip(page);
    await go(page, link(page, "Edit"));
    await skip(page);
    must((await field(page, "email").inputValue()).length > 0, "the form has what is known");
    await write(page, field(page, "hometown_city"), "Galena");
    await press_button(page, "Save");
    must(await is_done(page), "the account is corrected");
  }],
  ["change a text, and see it", 27, async (page) => {
    await palette(page, "templates");
    await skip(page);
    await go(page, link(page, "Account email changed"));
    await skip(page, "task");
    await write(page, page.getByRole("textbox", { name: "Subject" }), "Your account has another address");
    await press_button(page, /^Save as version/);
    await shows(page, "version 2", "the text has a new version");
  }],
  ["put a file up", 15, async (page) => {
    await palette(page, "library");
    await skip(page);
    // The browser must know well before the key that the chooser is answered here.
    const opened = page.waitForEvent("filechooser");
    await tab_to(page, page.locator("main input[type=file]"));
    clicks();
    await press(page, "Space");
    const chooser = await opened;
    await chooser.setFiles({ name: "season.txt", mimeType: "text/plain", buffer: Buffer.from("The season begins.") });
    await press_button(page, "Upload");
    await shows(page, "season.txt", "the file is in the library");
  }],
  ["ask for a report", 16, async (page) => {
    await palette(page, "reports");
    await skip(page, "task");
    const form = page.getByRole("form", { name: "Ask for a report" });
    await pick(page, form.getByRole("combobox", { name: "Kind" }), "au");
    await choose(page, form.getByRole("radio", { name: /^Csv/ }));
    await press_button(page, "Ask for it");
    await shows(page, /Audit/, "the report is in the list");
  }],
  ["any operation by the palette", 4, async (page) => {
    await palette(page, "save a sport", 2);
    must((await heading(page).innerText()) === "Save a sport", "its form is open");
  }],
]);

console.log("| task | keys | limit | clicks |\n| --- | ---: | ---: | ---: |");
for (const row of took) console.log(`| ${row.join(" | ")} |`);
await end();
