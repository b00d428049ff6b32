import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { snippet } from "../support/snippet.ts";
import { useService } from "./service.ts";

const service = useService();
const run = promisify(execFile);

/** The code block of a page with this language and text, for the running service. */
const served = async (file: string, language: string, text: string): Promise<string> =>
  (await snippet(file, language, text)).replaceAll("http://127.0.0.1:3000", service());

test("the README's three lines add a card, and its page with fetch works, also with an expired token", async () => {
  const { stdout: card } = await run("sh", [
    "-c",
    await served("README.md", "sh", "Plant the apple tree"),
  ]);
  expect(JSON.parse(card)).toMatchObject({ title: "Plant the apple tree", cardNumber: "HOM-1" });

  const page = await served("docs/rest.md", "js", "/auth/login");
  const after = `
    tokens.accessToken = "expired";
    const [me] = await Promise.all([1, 2].map(() => call("GET", "/users/me")));
    const fault = await call("POST", "/cards", {}).catch((error) => error);
    console.log(JSON.stringify([card.title, file.filename, await bytes.text(), me.name, fault.code]));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", page + after]);
  expect(JSON.parse(stdout)).toEqual(["Water it", "leaf.txt", "green", "Me", "BAD_REQUEST"]);
});
