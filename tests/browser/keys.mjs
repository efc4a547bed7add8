// What the walks share: parts with windows of their own, and keys.

import { open, part, say, sent } from "./site.mjs";

/** A form that makes a record with few fields. */
export const FORM = "/console/op/category.save_sport";

/** The part that runs, as its findings name it. */
let now = "";

/** Notes what should hold and does not. */
export function must(holds, what) {
  if (!holds) say(now, `not so: ${what}`);
}

/** A part whose findings have its name. */
export function named(name, act) {
  return part(name, () => {
    now = name;
    return act();
  });
}

/** A part with a window; it ends with the window. */
export function task(name, act, options) {
  return named(name, async () => {
    const page = await open(options);
    try {
      await act(page);
    } finally {
      await page.context().close();
    }
  });
}

/**
 * The keys that were pressed since the count began, where text that is typed does not count; and the
 * clicks of whoever does the same with a mouse: one for each link, button, choice and field, two for
 * an option of a list.
 */
let pressed = 0;
let clicked = 0;

/** Presses a key, and counts it. */
export function press(page, key) {
  pressed++;
  return page.keyboard.press(key);
}

/** Notes clicks that a step takes with a mouse. */
export function clicks(count = 1) {
  clicked += count;
}

/** What was counted since the last time this was asked. */
export function count() {
  const counted = { keys: pressed, clicks: clicked };
  pressed = clicked = 0;
  return counted;
}

/** A field of the form that the page shows, by the name that the operation has for it. */
export function field(page, name) {
  return page.locator(`main form[method=post] [name="${name}"]`);
}

/** The button that sends the form. */
export function button(page) {
  return page.locator("main form[method=post] button:not([name])").first();
}

export function has_focus(locator) {
  return locator.evaluate((it) => it === document.activeElement);
}

/** A link of the navigation. It may have a number after its name. */
export function in_navigation(page, name) {
  return page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
}

/**
 * Goes past the navigation by one of the links that are first on a page: to the content, to the
 * rows of a list, to a form. Whoever has sent filters from there is past it.
 */
export async function skip(page, to = "main") {
  if (page.url().endsWith(`#${to}`)) return;
  await tab_to(page, page.locator(`a.skip[href="#${to}"]`));
  await press(page, "Enter");
}

/** Opens a link, or presses a button, that leads to another page. */
export async function go(page, locator) {
  clicks();
  await tab_to(page, locator);
  return sent(page, () => press(page, "Enter"));
}

/** Opens a menu. */
export async function unfold(page, summary) {
  clicks();
  await tab_to(page, summary);
  await press(page, "Enter");
}

/**
 * Goes to a page by the palette: its words, an arrow, Enter. A mouse takes one click on the
 * navigation, two for an operation.
 */
export async function palette(page, words, by_mouse = 1) {
  clicks(by_mouse);
  await press(page, "Control+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  // Its list is whole when the operations are there.
  await dialog.getByRole("listitem").filter({ hasText: "operation" }).first().waitFor({ state: "attached" });
  await page.keyboard.type(words);
  await press(page, "ArrowDown");
  return sent(page, () => press(page, "Enter"));
}

/** Takes one of several choices: a stop for all of them, and arrows from one to the next. */
export async function choose(page, choice) {
  clicks();
  const same = page.locator(`main [type=radio][name="${await choice.getAttribute("name")}"]`);
  const chosen = same.and(page.locator(":checked"));
  await tab_to(page, (await chosen.count()) ? chosen : same.first());
  if (!(await choice.isChecked()) && (await has_focus(choice))) await press(page, "Space");
  for (let presses = 0; presses < 9 && !(await choice.isChecked()); presses++) await press(page, "ArrowDown");
}

/** Takes an option of a list by its first letters, each of them a key. */
export async function pick(page, list, letters) {
  clicks(2);
  await tab_to(page, list);
  for (const letter of letters) await press(page, letter === " " ? "Space" : letter);
}

/** Writes into a field in place of what is there. */
export async function write(page, locator, text) {
  clicks();
  await tab_to(page, locator);
  if (await locator.inputValue()) await press(page, "ControlOrMeta+A");
  await page.keyboard.type(text);
}

/** Presses Tab until something has the focus. */
export async function tab_to(page, locator) {
  for (let presses = 0; presses < 300; presses++) {
    if (await has_focus(locator)) return;
    await press(page, "Tab");
  }
  throw new Error("the Tab key does not get there");
}

/** Fills in fields by keyboard: from one to the next by the Tab key. */
export async function type(page, values) {
  for (const [name, value] of Object.entries(values)) {
    await tab_to(page, field(page, name));
    await press(page, "ControlOrMeta+A");
    await page.keyboard.type(value);
  }
}

/** Sends the form by keyboard. */
export async function send(page) {
  await tab_to(page, button(page));
  return sent(page, () => press(page, "Enter"));
}

/** Whether the page says that something was done. */
export async function is_done(page) {
  return (await page.getByRole("status").count()) > 0;
}

/** Holds that the page's fields have these values. */
export async function keeps(page, values) {
  for (const [name, value] of Object.entries(values)) {
    must((await field(page, name).inputValue()) === value, `what was typed as ${name} is lost`);
  }
}
