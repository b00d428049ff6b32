/** The exit codes of a command. */
export const exits = {
  failed: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  conflict: 5,
  unreachable: 6,
  badFile: 7,
  disk: 8,
  interrupted: 130,
} as const;

/** Ends a command with a message and an exit code. */
export class CliFailure extends Error {
  readonly exit: number;
  constructor(exit: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error
    ? "code" in error && typeof error.code === "string"
      ? error.code
      : codeOf(error.cause)
    : "";

/** The failure for an error of the file system; other errors are returned unchanged. */
export function fileFailure(error: unknown, path: string): unknown {
  switch (codeOf(error)) {
    case "ENOENT":
      return new CliFailure(exits.badFile, `File ${path} does not exist.`);
    case "EACCES":
    case "EPERM":
      return new CliFailure(exits.badFile, `No permission to open ${path}.`);
    case "EISDIR":
      return new CliFailure(exits.badFile, `${path} is a directory.`);
    case "EEXIST":
      return new CliFailure(exits.usage, `${path} exists: --force overwrites it.`);
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
    case "EIO":
      return new CliFailure(exits.disk, `${path} could not be written: the disk is full.`);
    default:
      return error;
  }
}

/** The failure for an error while writing. */
export function outputFailure(error: unknown, path: string): unknown {
  switch (codeOf(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return new CliFailure(
        exits.usage,
        `${path} could not be written: the directory does not exist.`,
      );
    case "EPIPE":
      return new CliFailure(exits.failed, `${path} was closed before everything was written.`);
    default:
      return fileFailure(error, path);
  }
}

/** The failure for a service that cannot be reached. */
export const unreachable = (url: string, error: unknown) =>
  new CliFailure(
    exits.unreachable,
    `${url} does not answer (${codeOf(error) || "connection lost"}). Start it, or set --url.`,
    {
      cause: error,
    },
  );
