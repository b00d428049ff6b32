import { test } from "vitest";
import { useApp } from "../../support/app.ts";
import { expectHeldChanges } from "./held.ts";

const app = useApp();

test.each([2, 3])(
  "changes that the service fails hold up those of their boards and cards only (seed %i)",
  (seed) => expectHeldChanges(app, seed),
);
