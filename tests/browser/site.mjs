// What the scripts of the browser suite share: the browser, signing in, and the list of findings.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(`${process.env.PACKAGES}/`);
const { chromium } = require("playwright-core");

/** The address of the server that has both sides, without a path. */
export const office = process.env.OFFICE;
export const PASSWORD = "a walk along the lake";
/** Whose pages they are. */
export const OFFICER = { side: "/portal", email: "compliance@lakeshorestateuniversity.example" };
export const OPERATOR = { side: "/console", email: "operator@nil.example" };
export const WIDE = { width: 1360, height: 900 };

/** How long anything may take: the server is a debug build on a busy machine. */
const PATIENCE = 30_000;

const findings = new Map();
let count = 0;

/** Notes something that is wrong. What is said of many pages becomes one line. */
export function say(where, what) {
  const places = findings.get(what) ?? new Set();
  findings.set(what, places.add(where));
  count++;
}

let browser;

/**
 * A window of its own, with its own cookies. It notes what goes wrong in the background: errors of
 * scripts, violations of the policy, requests to other hosts. A page that is a refusal is an error
 * for Chromium; the parts that ask for it expect it.
 */
export async function open(options = {}) {
  browser ??= await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--disable-gpu"],
  });
  const context = await browser.newContext({
    viewport: WIDE,
    acceptDownloads: true,
    // A page's transition would end early, and Chromium calls that an error.
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  context.on("console", (message) => {
    const is_refusal = message.text().startsWith("Failed to load resource") && message.location().url === message.page()?.url();
    if (message.type() === "error" && !is_refusal) say(place(message.page()), `console: ${message.text()}`);
  });
  context.on("weberror", (wrong) => say(place(wrong.page()), `script: ${wrong.error()}`));
  context.on("request", (request) => {
    const { host, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && host !== new URL(office).host) say(place(request.frame().page()), `foreign request: ${request.url()}`);
  });
  return context.newPage();
}

/** A page's address as a finding names it. */
function place(page) {
  return page ? page.url().replace(office, "") : "";
}

/** Goes to an address, and returns the answer. */
export function visit(page, path) {
  return page.goto(office + path);
}

/** Whether the page is the sign-in of a side. */
export async function is_sign_in(page) {
  return (await page.getByLabel("Password").count()) > 0 && (await page.getByRole("navigation").count()) === 0;
}

/** Fills in the sign-in that the page shows, by keyboard, and sends it. */
export async function type_sign_in(page, email, password = PASSWORD) {
  await page.getByLabel("E-mail").focus();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  await sent(page, () => page.keyboard.press("Enter"));
}

/** Opens a side's first page, or another one, as somebody. */
export async function sign_in(page, who, path = "") {
  await visit(page, `${who.side}${path || "/all"}`);
  await type_sign_in(page, who.email);
}

/** Does what leads to another page, and returns its answer once it is there. */
export async function sent(page, act) {
  const [answer] = await Promise.all([
    page.waitForResponse((answer) => {
      const request = answer.request();
      return request.isNavigationRequest() && request.frame() === page.mainFrame() && ![301, 302, 303, 307].includes(answer.status());
    }),
    page.waitForEvent("domcontentloaded"),
    act(),
  ]);
  return answer;
}

/** The heading of the page. */
export function heading(page) {
  return page.getByRole("heading", { level: 1 });
}

/** The parts that `--only` asks for, or all. */
export function is_wanted(name) {
  return name.includes(process.env.ONLY ?? "");
}

/** Runs a part, and says how long it took and whether it found anything. */
export async function part(name, act) {
  if (!is_wanted(name)) return;
  const [before, started] = [count, Date.now()];
  try {
    await act();
  } catch (error) {
    // The first lines say what was waited for.
    say(name, String(error.message ?? error).split("\n").slice(0, 4).join(" "));
    if (process.env.DEBUG) console.log(error);
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(1).padStart(6);
  console.log(`${count > before ? "FOUND" : "ok   "} ${seconds} s  ${name}`);
}

/** Ends the script with its findings. */
export async function end() {
  await browser?.close();
  for (const [what, places] of findings) {
    const some = [...places].slice(0, 3).join(", ");
    console.log(`- ${what}\n    at ${some}${places.size > 3 ? ` and ${places.size - 3} more` : ""}`);
  }
  process.exit(findings.size ? 1 : 0);
}

/** The file of a package. */
export function packaged(name) {
  return readFileSync(require.resolve(name), "utf8");
}
