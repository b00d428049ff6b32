import { renderToString } from "react-dom/server";
import { build } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { dehydrate } from "../../src/client/server/index.ts";
import { createStore } from "../../src/client/store/index.ts";
import { newBoard, newPerson, startBrowser } from "./demo-window.ts";
import { page } from "./hydration/page.ts";
import { useService } from "./service.ts";

const service = useService();

/** The script of the page, with React's warnings. */
async function script(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    mode: "development",
    define: { "process.env.NODE_ENV": `"development"` },
    build: {
      write: false,
      minify: false,
      rollupOptions: {
        input: "test/e2e/hydration/browser.ts",
        output: { inlineDynamicImports: true },
      },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !("output" in output)) throw new Error("Nothing was built.");
  return output.output[0].code;
}

test("in Chromium a rendered page is hydrated without warnings, and follows its board", async () => {
  const person = await newPerson(service());
  const { boardPublicId, cards } = await newBoard(person);
  const { client } = person;
  const state = dehydrate({ board: await client.board.get({ boardPublicId }) });
  const html = renderToString(page(createStore(client), state));
  expect(html).toContain("<p>ready loading connecting 0</p><li>Alpha</li><li>Beta</li>");
  const { key: token } = await client.auth.createApiKey({
    name: "Page",
    password: "a password for tests",
  });

  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  const reported: string[] = [];
  tab.on("console", (message) => {
    if (message.type() !== "info" && message.type() !== "log") reported.push(message.text());
  });
  tab.on("pageerror", (error) => reported.push(String(error)));
  const given = JSON.stringify({ token, state }).replaceAll("<", "\\u003c");
  const code = await script();
  await tab.route(`${service()}/page`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><link rel="icon" href="data:,"><div id="root">${html}</div>
        <script>const given = ${given};</script><script type="module" src="/page.js"></script>`,
    }),
  );
  await tab.route(`${service()}/page.js`, (route) =>
    route.fulfill({ contentType: "text/javascript", body: code }),
  );
  const reads: string[] = [];
  tab.on("request", (request) => reads.push(request.url()));
  await tab.goto(`${service()}/page`);
  await tab.getByText("ready ready online 0").waitFor();
  await client.card.update({ cardPublicId: cards["Beta"] ?? "", title: "A change" });
  await tab.getByText("A change").waitFor();
  expect(reported).toEqual([]);
  expect(reads.filter((url) => url.includes("board.get"))).toEqual([]);
});
