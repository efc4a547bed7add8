// Two windows on one record, and a file that is too large for a form.

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { field, must, task } from "./keys.mjs";
import { ALL, look } from "./look.mjs";
import { OPERATOR, end, open, sent, sign_in, visit } from "./site.mjs";

/** Saves the site's settings with another name. */
async function save(page, name) {
  await field(page, "name").fill(name);
  return sent(page, () => page.getByRole("button", { name: "Save", exact: true }).click());
}

await task("changed meanwhile", async (page) => {
  const other = await open();
  for (const window of [page, other]) {
    await sign_in(window, OPERATOR);
    await visit(window, "/console/settings");
  }
  const before = await field(page, "name").inputValue();
  await save(other, "Somebody else's name");
  const refused = await save(page, "A name of ours");
  must(refused.status() === 409, `status ${refused.status()}`);
  const table = page.getByRole("region", { name: "Changed meanwhile" }).getByRole("table");
  const cells = await table.locator("tbody tr").first().locator("th, td").allInnerTexts();
  must(cells.join("|") === "Name|Somebody else's name|A name of ours", `the table says ${cells.join("|")}`);
  must((await field(page, "name").inputValue()) === "A name of ours", "what was typed is kept");
  await look(page, "changed meanwhile", ALL);
  await sent(page, () => page.getByRole("button", { name: "Save", exact: true }).click());
  await visit(other, "/console/settings");
  must((await field(other, "name").inputValue()) === "A name of ours", "it can be saved over that");
  await save(other, before);
  await other.context().close();
});

await task("upload of 60 MiB", async (page) => {
  const name = `figures-${process.pid}.csv`;
  const file = join(process.cwd(), name);
  writeFileSync(file, Buffer.alloc(60 * 1024 * 1024, "day,deals,cents\n"));
  await sign_in(page, OPERATOR);
  await visit(page, "/console/library");
  const form = page.locator("form[data-parts]");
  await form.locator("input[type=file]").setInputFiles(file);
  const bar = page.locator("progress");
  const seen = bar.waitFor();
  // The page is opened anew when the file is there.
  const done = page.waitForEvent("load");
  await form.getByRole("button", { name: "Upload" }).click();
  await seen;
  must((await bar.getAttribute("max")) === String(60 * 1024 * 1024), "the bar is as long as the file");
  await done;
  must((await page.locator("main").innerText()).includes(name), "the file is in the folder");
});

await end();
