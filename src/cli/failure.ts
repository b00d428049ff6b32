/** What a command ends with, by what went wrong. */
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

/** Ends a command with a sentence for people and a code for programs. */
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

/** What is said of an error of the file system; itself when it is none. */
export function fileFailure(error: unknown, path: string): unknown {
  switch (codeOf(error)) {
    case "ENOENT":
      return new CliFailure(exits.badFile, `There is no file ${path}.`);
    case "EACCES":
    case "EPERM":
      return new CliFailure(exits.badFile, `${path} may not be opened.`);
    case "EISDIR":
      return new CliFailure(exits.badFile, `${path} is a directory.`);
    case "EEXIST":
      return new CliFailure(exits.usage, `${path} is there already: --force writes over it.`);
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
    case "EIO":
      return new CliFailure(exits.disk, `${path} could not be written: the disk is full.`);
    default:
      return error;
  }
}

/** The same for one of what is written to. */
export function outputFailure(error: unknown, path: string): unknown {
  switch (codeOf(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return new CliFailure(
        exits.usage,
        `${path} could not be written: there is no such directory.`,
      );
    case "EPIPE":
      return new CliFailure(exits.failed, `${path} was closed before all of it was written.`);
    default:
      return fileFailure(error, path);
  }
}

/** What is said of a service that cannot be talked to. */
export const unreachable = (url: string, error: unknown) =>
  new CliFailure(exits.unreachable, `${url} does not answer (${codeOf(error) || "broken off"}).`, {
    cause: error,
  });
