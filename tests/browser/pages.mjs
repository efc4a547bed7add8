// Which pages a side has.

import { office, open, say, sign_in, visit } from "./site.mjs";

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
export const OPEN = ["/portal/sign-in", "/portal/forgotten", "/portal/register", "/console/sign-in"];

/** The addresses of the links that fit, each once. */
export function links(page, selector) {
  return page.locator(selector).evaluateAll((all) => [...new Set(all.map((it) => it.getAttribute("href")))]);
}

/** What the addresses of one kind of page have in common. */
export function kind(link) {
  const { pathname, searchParams } = new URL(link, office);
  return `${pathname.replace(/\/\d+/g, "/#")}?${[...new Set(searchParams.keys())].sort()}`;
}

/** Whether a link leads to a file. */
function is_file(link) {
  return new URL(link, office).pathname.includes("/file/");
}

/** The pages of a side's navigation, and one record of each kind that they lead to. */
export async function places_and_records(who) {
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
  return [...places, ...records.values()];
}

/** A side's designed pages: those of the navigation, one record of each kind, the table's. */
export async function designed(who) {
  return (await places_and_records(who)).map((path) => [path]).concat(OTHERS[who.side]);
}
