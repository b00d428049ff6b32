import type { z } from "zod";
import type { Mail } from "../../platform/mail/mailer.ts";

/** A deleted user whose name is removed from the history, by public and internal ids. */
export type AnonymizeUser = {
  userId: string;
  memberPublicIds: string[];
  workspaceIds: string[];
};

/** The payload of each kind of job. */
export type Payloads = {
  /** Sealed; jobs of earlier versions hold the mail itself. */
  mail: { sealed: string } | z.input<typeof Mail>;
  passwordReset: { email: string };
  digest: Record<string, never>;
  dueSoon: Record<string, never>;
  purge: Record<string, never>;
  import: { publicId: string };
  anonymizeUser: AnonymizeUser;
};

/** A kind of job. */
export type JobKind = keyof Payloads;

type JobSpec = {
  /** How many attempts a job has before it fails. */
  maxAttempts: number;
  /** How long after its end a periodic job runs again. */
  everyMs?: number;
  /** Whether it can take minutes. Long jobs have their own workers, so that others do not wait. */
  isLong?: true;
};

/** The retry policy and schedule of each kind of job. */
export const jobKinds: Record<JobKind, JobSpec> = {
  mail: { maxAttempts: 15 },
  passwordReset: { maxAttempts: 15 },
  digest: { maxAttempts: 5, everyMs: 30_000 },
  dueSoon: { maxAttempts: 5, everyMs: 5 * 60_000 },
  purge: { maxAttempts: 5, everyMs: 60 * 60_000 },
  // A restart uses an attempt, and each attempt makes progress.
  import: { maxAttempts: 60, isLong: true },
  anonymizeUser: { maxAttempts: 15, isLong: true },
};

/** Whether a kind of job can take minutes. */
export const isLong = (kind: string): boolean =>
  Object.entries(jobKinds).some(([name, spec]) => name === kind && spec.isLong === true);
