// A picture of each designed page over the sample data, for docs/screens. It is no part of a run:
//
//   SCRIPTS=pictures PICTURES=$PWD/docs/screens tests/browser/run target/debug/nil target/browser
//
//   PICTURES   the folder for the pictures

import { mkdirSync } from "node:fs";

import { places_and_records } from "./pages.mjs";
import { OFFICER, OPERATOR, end, office, open, part, sign_in, visit } from "./site.mjs";

const PICTURES = process.env.PICTURES ?? "pictures";
mkdirSync(PICTURES, { recursive: true });

/** The names of the pages that stand at a side's own address. */
const FIRST = { portal: "portal-inbox", console: "console-today" };

/** The name of a page's picture, such as `portal-deals-one` of /portal/deals/7. */
function name(path) {
  const parts = new URL(path, office).pathname.split("/").filter(Boolean);
  const words = parts.map((it) => (/^\d+$/.test(it) ? "one" : it)).join("-");
  return FIRST[words] ?? words;
}

for (const who of [OFFICER, OPERATOR]) {
  await part(`pictures of ${who.side}`, async () => {
    const pages = await places_and_records(who);
    const page = await open({ viewport: { width: 1200, height: 780 } });
    await sign_in(page, who);
    const taken = new Set();
    for (const path of pages) {
      if (/\/(op|all|search)\b/.test(path) || taken.has(name(path))) continue;
      taken.add(name(path));
      await visit(page, path);
      await page.screenshot({ path: `${PICTURES}/${name(path)}.jpg`, type: "jpeg", quality: 50 });
    }
    await page.context().close();
  });
}

await end();
