/** Called once when the browser stores nothing: the client continues in memory. */
export type OnWarning = (message: string, cause: unknown) => void;

/** Writes a warning to the console. */
export const warn: OnWarning = (message, cause) => console.warn(message, cause);
