import { readFile } from "node:fs/promises";

/** The first code block of a page with this language and text. */
export async function snippet(file: string, language: string, text: string): Promise<string> {
  const page = await readFile(file, "utf8");
  const blocks = [...page.matchAll(/```(\w+)\n([^]*?)```/g)];
  const [, , code] = blocks.find(([, name, one]) => name === language && one?.includes(text)) ?? [];
  if (code === undefined) throw new Error(`${file} has no ${language} block with ${text}.`);
  return code;
}
