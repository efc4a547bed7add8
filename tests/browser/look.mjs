// What must hold on every page, looked at in the page that is open.

import { WIDE, packaged, say } from "./site.mjs";

const axe = packaged("axe-core/axe.min.js");
const RULES = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
/** The dark pages have the same markup as the light ones. */
const RULES_OF_COLORS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };
/** More Tab stops than any page has. */
const MOST_STOPS = 600;

/** How many Tab stops were walked. */
export let walked = 0;
export const ONCE = [["light", 1360]];
/** How a designed page is looked at; NIL_LONG looks at all widths in both. */
export const ALL = process.env.NIL_LONG
  ? [["light", 1360], ["dark", 1360], ["light", 768], ["light", 320], ["dark", 320]]
  : [["light", 1360], ["dark", 1360], ["light", 320]];

/** What the markup must hold, whatever the window. */
async function markup(page, note) {
  const seen = await page.evaluate(() => ({
    headings: document.querySelectorAll("h1").length,
    inline: [...document.querySelectorAll("style, script:not([src]), [style], svg [style]")].map((it) => it.outerHTML.slice(0, 120)),
    handlers: [...document.querySelectorAll("*")].flatMap((it) => it.getAttributeNames().filter((name) => name.startsWith("on"))),
    title: document.title,
  }));
  if (seen.headings !== 1) note(`${seen.headings} headings h1`);
  if (!seen.title.trim()) note("no title");
  seen.inline.forEach((html) => note(`inline style or script: ${html}`));
  seen.handlers.forEach((name) => note(`inline handler: ${name}`));
}

/** Walks by the Tab key: every stop shows that it has the focus, is in view and not covered. */
async function walk(page, note) {
  await page.evaluate(() => {
    document.activeElement?.blur();
    getSelection().removeAllRanges();
    scrollTo(0, 0);
  });
  let before = "";
  for (let stops = 0; ; stops++) {
    if (stops > MOST_STOPS) return note("the Tab key does not come to an end");
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const at = document.activeElement;
      if (!at || at === document.body || at === document.documentElement) return null;
      const look = getComputedStyle(at);
      const box = at.getClientRects()[0] ?? at.getBoundingClientRect();
      const inside = (least, it, most) => Math.min(most - 2, Math.max(least + 1, it));
      const [x, y] = [inside(0, box.left + box.width / 2, innerWidth), inside(0, box.top + box.height / 2, innerHeight)];
      const top = document.elementFromPoint(x, y);
      const path = [];
      for (let it = at; it; it = it.parentElement) path.unshift([...(it.parentElement?.children ?? [])].indexOf(it));
      return {
        path: path.join("."),
        name: `${at.tagName.toLowerCase()} ${(at.ariaLabel || at.innerText || at.name || "").trim().slice(0, 40)}`,
        // What an SVG shows differs from one to the next, and its rules are in the style sheet.
        marked: at instanceof SVGElement || (look.outlineStyle !== "none" && parseFloat(look.outlineWidth) > 0),
        in_view: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
        covered: !(top && (at.contains(top) || top.contains(at) || [...(at.labels ?? [])].some((it) => it.contains(top)))),
        // A field of a date has several stops, as has a player.
        several: at.matches("input[type=date], input[type=datetime-local], input[type=time], input[type=month], video, audio"),
      };
    });
    if (!stop) return (walked += stops);
    if (stop.path === before && !stop.several) return note(`the Tab key stays at: ${stop.name}`);
    before = stop.path;
    if (!stop.marked) note(`no visible focus: ${stop.name}`);
    if (!stop.in_view) note(`focus out of view: ${stop.name}`);
    else if (stop.covered) note(`focus covered: ${stop.name}`);
  }
}

/** Puts the checker in by the debugger, which the page's policy does not concern. */
async function put_in(page) {
  const debug = await page.context().newCDPSession(page);
  await debug.send("Runtime.evaluate", { expression: axe });
  await debug.detach();
}

async function check(page, rules, note) {
  // What the head of a narrow window covers at this moment can be scrolled into view.
  await page.evaluate(() => window.scrollTo(0, 0));
  const found = await page.evaluate(async (runOnly) => {
    // What is folded is checked as well. Menus lie over what is below them.
    document.querySelectorAll("details:not(.menu)").forEach((it) => (it.open = true));
    const { violations } = await axe.run(document, { runOnly, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 160)}`));
  }, rules);
  found.forEach(note);
  await fits(page, note);
}

/** Nothing stands beyond the window. */
export async function fits(page, note) {
  const over = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const pixels = await page.evaluate(over);
  if (pixels > 0) note(`overflows by ${pixels} px`);
  // Panels hide what goes beyond them, so that the page does not overflow.
  const cut = await page.locator(".figs dd").evaluateAll((all) => all.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.innerText));
  cut.forEach((text) => note(`a figure is cut: ${text}`));
}

/** Looks at the page in each setting. */
export async function look(page, where, settings = ONCE, { stops = false } = {}) {
  const plain = (what) => say(where, what);
  await markup(page, plain);
  if (stops) await walk(page, plain);
  await put_in(page);
  for (const [colorScheme, width] of settings) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ ...WIDE, width });
    const rules = colorScheme === "dark" ? RULES_OF_COLORS : RULES;
    await check(page, rules, (what) => say(`${where} ${colorScheme} ${width}`, what));
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(WIDE);
}
