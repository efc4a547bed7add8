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

/** A part with a window; it ends with the window. */
export function task(name, act, options) {
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

/** Presses Tab until something has the focus. */
export async function tab_to(page, locator) {
  for (let presses = 0; presses < 300; presses++) {
    if (await has_focus(locator)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("the Tab key does not get there");
}

/** Fills in fields by keyboard: from one to the next by the Tab key. */
export async function type(page, values) {
  for (const [name, value] of Object.entries(values)) {
    await tab_to(page, field(page, name));
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type(value);
  }
}

/** Sends the form by keyboard. */
export async function send(page) {
  await tab_to(page, button(page));
  return sent(page, () => page.keyboard.press("Enter"));
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
