/** The code of an error of Node.js, PostgreSQL or a library, such as `ENOENT`; otherwise empty. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
