/** The reason for a time that a source does not have. */
export const noTime = (what: "archived" | "completed") =>
  `The source does not say when it was ${what}: it has the time of the import.`;
