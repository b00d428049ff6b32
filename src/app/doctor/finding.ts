/**
 * What a check has found. A `fault` keeps the service, or a part of it, from working now; a
 * `warning` will, or is unwise.
 */
export type Finding = {
  level: "ok" | "warning" | "fault";
  text: string;
  /** What to do about it. */
  advice?: string;
};

/** A finding under the name of its check. */
export type Reported = Finding & { check: string };

export const ok = (text: string): Finding => ({ level: "ok", text });
export const warning = (text: string, advice: string): Finding => ({
  level: "warning",
  text,
  advice,
});
export const fault = (text: string, advice: string): Finding => ({ level: "fault", text, advice });

/** The message of an error, as findings show it. */
export const messageOf = (error: unknown): string => {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { message, cause } =
    first instanceof Error ? first : { message: String(first), cause: undefined };
  return cause instanceof Error && !message.includes(cause.message)
    ? `${message} (${cause.message})`
    : message;
};
