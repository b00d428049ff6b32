import { UnitOfWork } from "../../../src/kernel/events/unit-of-work.ts";
import { mailPasswordReset } from "../../../src/domain/auth/mail-password-reset.ts";
import { runNext } from "../../../src/kernel/jobs/run.ts";
import { openMail } from "../../../src/kernel/jobs/mail.ts";
import type { Mail } from "../../../src/platform/mail/mailer.ts";
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

/** The jobs of a kind, oldest first; sealed mails are opened. Requested resets become mails first. */
export async function jobsOf({ db, deps }: Pick<App, "db" | "deps">, kind = "mail") {
  while (kind === "mail" && (await runNext(deps, { passwordReset: mailPasswordReset })));
  const jobs = await db.reader.job.findMany({ where: { kind }, orderBy: { id: "asc" } });
  return jobs.map((job) =>
    isSealed(job.payload) ? { ...job, payload: openMail(deps, job.payload) } : job,
  );
}

const isSealed = (payload: unknown) =>
  typeof payload === "object" && payload !== null && "sealed" in payload;

/** The queued mails to an address, oldest first. */
export const mailsTo = async (app: Pick<App, "db" | "deps">, email: string): Promise<Mail[]> =>
  (await jobsOf(app)).map(({ payload }) => payload as Mail).filter(({ to }) => to === email);
