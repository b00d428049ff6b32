import { z } from "zod";
import { beforeAll, describe, expect, test } from "vitest";
import { appRouter } from "../../src/app/router/index.ts";
import { cleanName } from "../../src/domain/attachments/file.ts";
import { definitionOf } from "../../src/kernel/procedures/builder.ts";
import { nameOf } from "../../src/platform/foreign-text.ts";
import { useApp } from "../support/app.ts";
import { makeWorld, type World } from "./world.ts";
import { sendRaw } from "./raw.ts";

const app = useApp();
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

/** Texts of which nothing is seen. */
const unseen = [
  ...Array.from(
    "\u200b\u2060\u3164\ufe0f\u00ad\u034f\u115f\u1160\uffa0\u17b4\u180e\u200d\u202e\u2800\u0301\u20dd",
  ),
  ...Array.from("\ufeff\u061c\u2066\ufff9\u{e0041}\u{e0100}\u{1d159}\u0000\u0007"),
  "\u3164 \u2800",
  " \u200b\u2060 ",
].map((text) => [text] as const);
const seen = [
  "a",
  "é",
  "e\u0301",
  "漢",
  "한",
  "❤️",
  "👩‍💻",
  "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
  "1",
  "-",
  "…",
  "अ",
  "ـ",
  "㋿",
  "𝄞",
];

/** The texts of a schema, by the path of their property. */
function* textsIn(schema: z.core.$ZodType, path: string): Generator<[string, z.core.$ZodType]> {
  const { def } = schema._zod;
  if (def.type === "string") yield [path, schema];
  if (schema instanceof z.ZodObject) {
    for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape))
      yield* textsIn(field, `${path}.${name}`);
  } else {
    for (const inner of Object.values(def).flat()) if (isSchema(inner)) yield* textsIn(inner, path);
  }
}

const isSchema = (value: unknown): value is z.core.$ZodType =>
  typeof value === "object" && value !== null && "_zod" in value;
const isRefused = (schema: z.core.$ZodType, text: string) => !z.safeParse(schema, text).success;

const texts = Object.keys(appRouter._def.procedures).flatMap((operation) => [
  ...textsIn(definitionOf(Reflect.get(appRouter._def.procedures, operation)).input, operation),
]);
/** Those in which spaces do not count, but for addresses and the ids of other services. */
const names = texts.filter(
  ([path, schema]) =>
    !/\.(?:url|\w+Ids)$/.test(path) &&
    isRefused(schema, " ") &&
    !isRefused(schema, "Ab") &&
    !isRefused(schema, "A b"),
);

describe("names and titles", () => {
  test("are required in many operations", () => {
    expect(names.length).toBeGreaterThan(40);
    const ends = new Set(names.map(([path]) => path.split(".").at(-1)));
    expect([...ends]).toEqual(expect.arrayContaining(["name", "title"]));
  });

  test("are all of one kind: no name of a write takes a text that is not seen", () => {
    const others = texts.filter(
      ([path, schema]) => /\.(?:name|title)$/.test(path) && !isRefused(schema, "\u200b"),
    );
    expect(others.map(([path]) => path)).toEqual([]);
  });

  test.each(unseen)("%j is refused as spaces are, wherever a name is required", (text) => {
    const taken = names.filter(([, schema]) => !isRefused(schema, text));
    expect(taken.map(([path]) => path)).toEqual([]);
  });

  test.each(seen.map((text) => [text]))("%s is a name", (text) => {
    // People decide by the name of an app: it has no characters that join or turn others.
    const refused = names.filter(
      ([path, schema]) => path !== "oauth.register.name" && isRefused(schema, text),
    );
    expect(refused.map(([path]) => path)).toEqual([]);
  });

  test("are 400 over REST, and say so as for an empty one", async () => {
    for (const name of ["", "  ", "\u3164", "\u200b\u2060"]) {
      const body = JSON.stringify({ name, boardPublicId: world.board });
      const { token } = world.admin;
      const reply = await sendRaw(app(), {
        method: "POST",
        path: "/api/v1/lists",
        type: "application/json",
        body,
        token,
      });
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({
        code: "BAD_REQUEST",
        issues: [{ message: "Must not be empty", path: ["name"] }],
      });
    }
  });

  test("of files and of sources that nobody sees are replaced", () => {
    for (const [text] of unseen) {
      expect(nameOf(text)).toBeNull();
      expect(cleanName(text)).toBe("file");
    }
    expect(cleanName("\u3164.txt")).toBe("\u3164.txt");
  });
});
