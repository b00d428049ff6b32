import { expect, test } from "vitest";
import { readArguments, usage } from "../../src/app/command-line.ts";

test("knows its options, and shows them", () => {
  expect(readArguments([])).toEqual({ demo: false, help: false });
  expect(readArguments(["--demo"])).toEqual({ demo: true, help: false });
  for (const help of ["--help", "-h"]) expect(readArguments([help]).help).toBe(true);
  expect(usage).toMatch(/--demo .*\n.*--help /);
});

test.each([
  ["--halp", "--halp is not an option. Did you mean --help? --help lists the options."],
  ["serve", "serve is not an option. --help lists the options."],
])("%s is refused", (argument, message) => {
  expect(() => readArguments(["--demo", argument])).toThrow(message);
});
