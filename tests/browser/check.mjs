// Looks at every page: those that were designed in light and dark, wide and narrow; those that are
// made of an operation's description once.

import { ALL, ONCE, fits, look, walked } from "./look.mjs";
import { OPEN, designed, kind, links } from "./pages.mjs";
import { OFFICER, OPERATOR, WIDE, end, office, open, part, say, sign_in, visit } from "./site.mjs";

/** Pages that are looked at side by side: each waits for the server now and then. */
const WINDOWS = 3;

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

/** Every how many generated pages one is looked at: one program makes them all. */
const SHARE = process.env.NIL_LONG ? 1 : 4;

/** Goes to a page, which must have this status. */
async function arrive(page, [path, status = 200]) {
  const answer = await visit(page, path);
  if (answer.status() !== status) say(path, `status ${answer.status()}`);
}

/** Links of designed pages that have not been followed, one of each kind. */
const followed = new Map();
let runs = 0;

/** The same page in the language whose words are longer: they have room in a narrow window. */
async function look_at_longer(page, one) {
  const where = `${one[0]} in en-XA 320`;
  await page.setExtraHTTPHeaders({ "accept-language": "en-XA" });
  await page.setViewportSize({ ...WIDE, width: 320 });
  await arrive(page, one);
  if ((await page.locator("html").getAttribute("lang")) !== "en-XA") say(where, "is in another language");
  await fits(page, (what) => say(where, what));
  await page.setExtraHTTPHeaders({});
  await page.setViewportSize(WIDE);
}

async function look_at(page, one, settings) {
  await arrive(page, one);
  if (settings === ALL) {
    for (const link of await links(page, "main a[href^='/']")) if (!followed.has(kind(link))) followed.set(kind(link), [link, one[0]]);
  }
  await look(page, one[0], settings, { stops: settings === ALL });
  if (settings === ALL) await look_at_longer(page, one);
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
    const some = all.filter((_, place) => place % SHARE === 0);
    await for_all(some.map((path) => [path]), who, (page, one) => look_at(page, one, ONCE));
  });
}
console.log(`${runs} looks, ${walked} Tab stops`);
await end();
