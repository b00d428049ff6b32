import { UnitOfWork } from "../../../src/kernel/events/unit-of-work.ts";
import type { App } from "../../support/app.ts";

/** Runs a transaction like a mutation. */
export const write = <Result>({ db, deps }: App, run: (tx: UnitOfWork) => Promise<Result>) =>
  db.transact((prisma, query) => run(new UnitOfWork(prisma, query, deps.clock(), [])));

/** The payload of a mail job. */
export const letter = (id = "letter") => ({
  id,
  to: "ann@example.com",
  subject: "Hello",
  text: "Hello Ann",
});

/** The jobs of a kind, oldest first. */
export const jobsOf = ({ db }: App, kind = "mail") =>
  db.reader.job.findMany({ where: { kind }, orderBy: { id: "asc" } });
