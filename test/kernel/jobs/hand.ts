import { Work } from "../../../src/kernel/unit-of-work.ts";
import type { App } from "../../support/app.ts";

/** One transaction, as a write has it. */
export const write = <Result>({ db, deps }: App, run: (work: Work) => Promise<Result>) =>
  db.transact((tx, query) => run(new Work(tx, query, deps.clock(), [])));

/** A mail like any other, as a job is told it. */
export const letter = (id = "letter") => ({
  id,
  to: "ann@example.com",
  subject: "Hello",
  text: "Hello Ann",
});

/** The jobs of a kind, oldest first. */
export const jobsOf = ({ db }: App, kind = "mail") =>
  db.reader.job.findMany({ where: { kind }, orderBy: { id: "asc" } });
