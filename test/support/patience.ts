/** How long a test waits for what should happen soon, in ms: a loaded machine takes its time. */
export const patience = 120_000;
