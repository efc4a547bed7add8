// Looks at every page: those that were designed in light and dark, wide and narrow; those that are
// made of an operation's description once.

import { ALL, ONCE, look, walked } from "./look.mjs";
import { OFFICER, OPERATOR, end, office, open, part, say, sign_in, visit } from "./site.mjs";

/** Pages that are looked at side by side: each waits for the server now and then. */
const WINDOWS = 3;

/** Designed pages that no link of the navigation leads to, with the status they have. */
const OTHERS = {
  "/portal": [
    ["/portal/all"],
    ["/portal/all?q=filing"],
    ["/portal/op/transaction.list?q=no-such-word"],
    ["/portal/op/transaction.list?from=yesterday", 422],
    ["/portal/nowhere", 404],
    ["/portal/op/no.such", 404],
  ],
  "/console": [
    ["/console/all"],
    ["/console/op/payment.list?q=no-such-word"],
    ["/console/op/college.save?id=1"],
    ["/console/nowhere", 404],
  ],
};
/** Pages for whoever is not signed in. */
const OPEN = ["/portal/sign-in", "/portal/forgotten", "/portal/register", "/console/sign-in"];

/** Does the same for all, in several windows at once. */
async function for_all(all, who, act) {
  const rest = [...all];
  const run = async () => {
    const page = await open();
    if (who) await sign_in(page, who);
    for (let next = rest.shift(); next; next = rest.shift()) {
      await act(page, next).catch((error) => say(next[0], error.message.split("\n")[0]));
    }
    await page.context().close();
  };
  await Promise.all(Array.from({ length: WINDOWS }, run));
}

/** Goes to a page, which must have this status. */
async function arrive(page, [path, status = 200]) {
  const answer = await visit(page, path);
  if (answer.status() !== status) say(path, `status ${answer.status()}`);
}

/** The addresses of the links that fit, each once. */
function links(page, selector) {
  return page.locator(selector).evaluateAll((all) => [...new Set(all.map((it) => it.getAttribute("href")))]);
}

/** What the addresses of one kind of page have in common. */
function kind(link) {
  const { pathname, searchParams } = new URL(link, office);
  return `${pathname.replace(/\/\d+/g, "/#")}?${[...new Set(searchParams.keys())].sort()}`;
}

/** Whether a link leads to a file. */
function is_file(link) {
  return new URL(link, office).pathname.includes("/file/");
}

/** A side's designed pages: those of the navigation, one record of each kind, the table's. */
async function designed(who) {
  const page = await open();
  await sign_in(page, who);
  const places = await links(page, "nav.side a");
  const records = new Map();
  for (const path of places) {
    await visit(page, path);
    for (const link of await links(page, "main table tbody a")) {
      const is_new = link.startsWith(who.side) && !is_file(link) && !places.includes(link.split("?")[0]) && !records.has(kind(link));
      if (is_new) records.set(kind(link), link);
    }
  }
  await page.context().close();
  if (places.length < 8) say(who.side, `only ${places.length} links in the navigation`);
  return [...places, ...records.values()].map((path) => [path]).concat(OTHERS[who.side]);
}

/** Links of designed pages that have not been followed, one of each kind. */
const followed = new Map();
let runs = 0;

async function look_at(page, one, settings) {
  await arrive(page, one);
  if (settings === ALL) {
    for (const link of await links(page, "main a[href^='/']")) if (!followed.has(kind(link))) followed.set(kind(link), [link, one[0]]);
  }
  await look(page, one[0], settings, { stops: settings === ALL });
  runs += settings.length;
}

/** No link leads nowhere. Downloads are asked for as well, but not kept, and a year of contracts is not made. */
async function follow(page, [link, from]) {
  if (new URL(link, office).searchParams.has("contracts")) return;
  const answer = await page.request.get(office + link);
  if (answer.status() !== 200) say(from, `a link leads to ${answer.status()}: ${kind(link)}`);
}

await part("open pages", async () => {
  await for_all(OPEN.map((path) => [path]), null, (page, one) => look_at(page, one, ALL));
  await for_all(followed.values(), null, follow);
  followed.clear();
});
for (const who of [OFFICER, OPERATOR]) {
  await part(`designed pages of ${who.side}`, async () => {
    await for_all(await designed(who), who, (page, one) => look_at(page, one, ALL));
    await for_all(followed.values(), who, follow);
    followed.clear();
  });
  await part(`generated pages of ${who.side}`, async () => {
    const page = await open();
    await sign_in(page, who, "/all");
    const all = await links(page, "#ops a");
    await page.context().close();
    if (all.length < 50) say(`${who.side}/all`, `only ${all.length} operations`);
    await for_all(all.map((path) => [path]), who, (page, one) => look_at(page, one, ONCE));
  });
}
console.log(`${runs} looks, ${walked} Tab stops`);
await end();
