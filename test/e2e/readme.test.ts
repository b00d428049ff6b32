import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { useService } from "./service.ts";

const service = useService();
const run = promisify(execFile);

/** What the README shows in a language and with a certain text in it, for the service that runs here. */
async function shown(language: string, text: string): Promise<string> {
  const readme = await readFile("README.md", "utf8");
  const blocks = [...readme.matchAll(/```(\w+)\n([^]*?)```/g)];
  const block = blocks.find(([, name, code]) => name === language && code?.includes(text));
  return (block?.[2] ?? "").replaceAll("http://127.0.0.1:3000", service());
}

test("the README's three lines lead to a card, and its page from signing in to the bytes of a file, also when the token has expired", async () => {
  const { stdout: card } = await run("sh", ["-c", await shown("sh", "Plant the apple tree")]);
  expect(JSON.parse(card)).toMatchObject({ title: "Plant the apple tree", cardNumber: "HOM-1" });

  const page = await shown("js", "/auth/login");
  const after = `
    tokens.accessToken = "expired";
    const [me] = await Promise.all([1, 2].map(() => call("GET", "/users/me")));
    const fault = await call("POST", "/cards", {}).catch((error) => error);
    console.log(JSON.stringify([card.title, file.filename, await bytes.text(), me.name, fault.code]));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", page + after]);
  expect(JSON.parse(stdout)).toEqual(["Water it", "leaf.txt", "green", "Me", "BAD_REQUEST"]);
});
