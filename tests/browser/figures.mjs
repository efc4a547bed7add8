// What each designed page costs, as a table: bytes as they are sent, the time of the server and how
// much of it its processor worked, the first paint and the number of requests. It holds nothing; docs/console.md says what is aimed at.
//
// SLOW=50 lists only pages whose server time is above so many milliseconds.

import { readFileSync } from "node:fs";
import { request } from "node:http";

import { places_and_records } from "./pages.mjs";
import { OFFICER, OPERATOR, end, office, open, part, sign_in, visit } from "./site.mjs";

const TIMES = 9;
/** How long a tick of `/proc` is, in milliseconds. */
const TICK = 10;
const SLOW = Number(process.env.SLOW ?? 0);

function middle(numbers) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** How long the server has worked so far, in milliseconds of processor time. */
function worked() {
  const after_name = readFileSync(`/proc/${process.env.SERVER}/stat`, "latin1").split(") ")[1].split(" ");
  return (Number(after_name[11]) + Number(after_name[12])) * TICK;
}

/** Asks for a page as a browser does, and returns its size as sent and how long the server took. */
function asked(path, cookie) {
  return new Promise((done, fail) => {
    const began = performance.now();
    const headers = { cookie, "accept-encoding": "gzip", accept: "text/html" };
    request(office + path, { headers }, (answer) => {
      let bytes = 0;
      answer.on("data", (some) => { bytes += some.length; });
      answer.on("end", () => done({ bytes, ms: performance.now() - began }));
    }).on("error", fail).end();
  });
}

/** What the browser says about the page that it shows, once it has painted it. */
function painted(page) {
  return page.evaluate(() => new Promise((done) => {
    new PerformanceObserver((all) => {
      const [first] = all.getEntriesByName("first-contentful-paint");
      if (first) done({ paint: first.startTime, requests: 1 + performance.getEntriesByType("resource").length });
    }).observe({ type: "paint", buffered: true });
  }));
}

/** An address without the numbers of records and what a form is filled with. */
function name(path) {
  return path.split("?")[0].replace(/\/\d+/g, "/{id}");
}

const row = (cells) => console.log(`| ${cells.join(" | ")} |`);
row(["page", "packed", "server", "processor", "first paint", "requests"]);
row(["---", "---:", "---:", "---:", "---:", "---:"]);
for (const who of [OFFICER, OPERATOR]) {
  await part(`figures of ${who.side}`, async () => {
    const paths = await places_and_records(who);
    const page = await open();
    await sign_in(page, who);
    const cookie = (await page.context().cookies()).map((one) => `${one.name}=${one.value}`).join("; ");
    for (const path of paths) {
      const answers = [];
      const before = worked();
      for (let time = 0; time < TIMES; time++) answers.push(await asked(path, cookie));
      const work = (worked() - before) / TIMES;
      const ms = middle(answers.map((it) => it.ms));
      if (ms < SLOW) continue;
      const paints = [];
      for (let time = 0; time < TIMES; time++) {
        await visit(page, path);
        paints.push(await painted(page));
      }
      row([
        name(path),
        `${(answers[0].bytes / 1000).toFixed(1)} kB`,
        `${ms.toFixed(0)} ms`,
        `${work.toFixed(0)} ms`,
        `${middle(paints.map((it) => it.paint)).toFixed(0)} ms`,
        Math.max(...paints.map((it) => it.requests)),
      ]);
    }
    await page.context().close();
  });
}
await end();
