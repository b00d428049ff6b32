import type { Mail } from "../../platform/mail/message.ts";

/** Whose name is to go from the history: their ids, and where they were members. */
export type AnonymizeUser = {
  userId: string;
  memberPublicIds: string[];
  workspaceIds: string[];
};

/** What each kind of job is told. */
export type Payloads = {
  mail: Mail;
  digest: Record<string, never>;
  dueSoon: Record<string, never>;
  purge: Record<string, never>;
  import: { publicId: string };
  forget: AnonymizeUser;
};

/** A kind of job. */
export type JobKind = keyof Payloads;

type Spec = {
  /** How often it is tried before it has failed. */
  maxAttempts: number;
  /** How long after its end it runs again; such a job is always there. */
  everyMs?: number;
  /** It may take minutes: such jobs have workers of their own, so that nothing quick waits for them. */
  isLong?: true;
};

/** Every kind of job, how often it is tried, and when it comes again by itself. */
export const jobKinds: Record<JobKind, Spec> = {
  mail: { maxAttempts: 15 },
  digest: { maxAttempts: 5, everyMs: 30_000 },
  dueSoon: { maxAttempts: 5, everyMs: 5 * 60_000 },
  purge: { maxAttempts: 5, everyMs: 60 * 60_000 },
  // An attempt is spent by every worker that is lost, and each has done its part by then.
  import: { maxAttempts: 60, isLong: true },
  forget: { maxAttempts: 15, isLong: true },
};

/** Whether a kind of job may take minutes. */
export const isLong = (kind: string) =>
  Object.entries(jobKinds).some(([name, spec]) => name === kind && spec.isLong === true);
