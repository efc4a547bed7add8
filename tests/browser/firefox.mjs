// One pass through the designed pages in Firefox: axe, no overflow, no error of a script, and a
// picture of each page, light and dark at 1360 pixels and light at 320, to be looked at by a person.
// Chromium says which pages there are. It is no part of a run: Firefox is large, and what differs is
// what a person sees.
//
//   FIREFOX    another browser than the `firefox-esr` on the PATH, of version 129 or later
//   PICTURES   the folder for the pictures

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";

import { places_and_records } from "./pages.mjs";
import { OFFICER, OPERATOR, PASSWORD, end, office, packaged, part, say } from "./site.mjs";

const PICTURES = process.env.PICTURES ?? "pictures";
const SETTINGS = [["light", 1360], ["dark", 1360], ["light", 320]];
const axe = packaged("axe-core/axe.min.js");

/** A Firefox without a window, and the address where it takes commands. */
async function start() {
  const profile = mkdtempSync(`${tmpdir()}/firefox-`);
  const options = ["--headless", "--remote-debugging-port", "0", "--profile", profile];
  const firefox = spawn(process.env.FIREFOX ?? "firefox-esr", options, { stdio: ["ignore", "ignore", "pipe"] });
  firefox.on("exit", () => rmSync(profile, { recursive: true, force: true }));
  for await (const line of createInterface(firefox.stderr)) {
    const address = line.match(/BiDi listening on (\S+)/)?.[1];
    if (address) return { firefox, address: `${address}/session` };
  }
  throw new Error("Firefox ends before it listens");
}

/** A window of Firefox, driven by the standard protocol (WebDriver BiDi). */
class Window {
  #waiting = new Map();
  #last = 0;
  #loaded = () => {};

  static async open(address) {
    const window = new Window();
    window.socket = new WebSocket(address);
    window.socket.onmessage = ({ data }) => window.#hear(JSON.parse(data));
    await new Promise((done, fail) => Object.assign(window.socket, { onopen: done, onerror: fail }));
    await window.send("session.new", { capabilities: {} });
    await window.send("session.subscribe", { events: ["log.entryAdded", "browsingContext.load"] });
    ({ context: window.context } = await window.send("browsingContext.create", { type: "tab" }));
    return window;
  }

  #hear({ id, type, method, error, message, result, params }) {
    if (type === "event") {
      if (method === "browsingContext.load") this.#loaded();
      else if (params.level === "error") say(this.path, `Firefox: ${params.text}`);
      return;
    }
    const { done, fail } = this.#waiting.get(id);
    if (error) fail(new Error(`${error}: ${message}`));
    else done(result);
  }

  send(method, params) {
    const id = ++this.#last;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((done, fail) => this.#waiting.set(id, { done, fail }));
  }

  /** Goes to an address, and waits until all of it is there. */
  async visit(path) {
    this.path = path;
    await this.send("browsingContext.navigate", { context: this.context, url: office + path, wait: "complete" });
  }

  /** Does what leads to another page, and waits until all of it is there. */
  async leads(act) {
    const loaded = new Promise((done) => { this.#loaded = done; });
    await act();
    await loaded;
  }

  async width(width) {
    await this.send("browsingContext.setViewport", { context: this.context, viewport: { width, height: 900 } });
  }

  /** What an expression of the page comes to, as text. */
  async says(expression) {
    const asked = { expression, target: { context: this.context }, awaitPromise: true };
    const { result, exceptionDetails } = await this.send("script.evaluate", asked);
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.value;
  }

  /** Presses keys one after the other; each is held while those after it in its text are pressed. */
  async press(...all) {
    const actions = all.flatMap((keys) => {
      const one = [...keys];
      return [...one.map((value) => ({ type: "keyDown", value })), ...one.toReversed().map((value) => ({ type: "keyUp", value }))];
    });
    await this.send("input.performActions", { context: this.context, actions: [{ type: "key", id: "keys", actions }] });
  }

  async picture(name) {
    const { data } = await this.send("browsingContext.captureScreenshot", { context: this.context });
    writeFileSync(`${PICTURES}/${name}.png`, Buffer.from(data, "base64"));
  }
}

const [CONTROL, ENTER, ESCAPE, TAB] = ["\uE009", "\uE007", "\uE00C", "\uE004"];

/** Signs in by keyboard: the e-mail has the focus. */
async function sign_in(window, who) {
  await window.visit(`${who.side}/sign-in`);
  await window.leads(() => window.press(...who.email, TAB, ...PASSWORD, ENTER));
  if ((await window.says("String(document.querySelector('nav.side') !== null)")) !== "true") throw new Error("the sign-in does not lead on");
}

/** What axe and the width of the page say. */
async function check(window, where) {
  if ((await window.says("typeof axe")) === "undefined") await window.says(`${axe}; 1`);
  const found = await window.says(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.slice(0, 2).map((node) => id + ": " + node.html.slice(0, 120))).join("\\n"))`);
  for (const one of found.split("\n").filter(Boolean)) say(where, one);
  const over = await window.says("String(document.documentElement.scrollWidth - document.documentElement.clientWidth)");
  if (Number(over) > 0) say(where, `overflows by ${over} px`);
}

mkdirSync(PICTURES, { recursive: true });
const { firefox, address } = await start();
const window = await Window.open(address);
console.log(await window.says("navigator.userAgent"));
for (const who of [OFFICER, OPERATOR]) {
  await part(`${who.side} in Firefox`, async () => {
    const paths = await places_and_records(who);
    await window.width(1360);
    await sign_in(window, who);
    for (const path of paths) {
      await window.visit(path);
      for (const [theme, width] of SETTINGS) {
        await window.width(width);
        await window.says(`document.documentElement.dataset.theme = "${theme}"; scrollTo(0, 0); 1`);
        await check(window, `${path} ${theme} ${width}`);
        await window.picture(`${path.split("?")[0].slice(1).replaceAll("/", "-")} ${theme} ${width}`);
      }
    }
    await window.width(1360);
    await window.press(`${CONTROL}k`);
    const opened = await window.says("String(document.querySelector('dialog.palette')?.open ?? false)");
    if (opened !== "true") say(who.side, "Ctrl-K does not open the palette");
    await window.picture(`${who.side.slice(1)} palette`);
    await window.press(ESCAPE);
  });
}
firefox.kill();
await end();
