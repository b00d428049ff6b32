import { nearestName } from "../platform/nearest-name.ts";

const options = {
  "--demo": "fill an empty service with a sample workspace",
  "--help": "show this text, and start nothing",
};

/** What `--help` prints. */
export const usage = `Starts the service, with the settings of the environment or a .env file.

Usage: npm start -- [options], or node dist/main.js [options]

${Object.entries(options)
  .map(([name, text]) => `  ${name}  ${text}`)
  .join("\n")}

.env.example lists the settings, docs/operating.md explains them.
`;

/** Reads the arguments of the process. Throws for one that is unknown: it may be mistyped. */
export function readArguments(args: readonly string[]): { demo: boolean; help: boolean } {
  const given = args.map((arg) => (arg === "-h" ? "--help" : arg));
  const unknown = given.find((arg) => !Object.hasOwn(options, arg));
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, Object.keys(options));
    const advice = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
    throw new Error(`${unknown} is not an option.${advice} --help lists the options.`);
  }
  return { demo: given.includes("--demo"), help: given.includes("--help") };
}
