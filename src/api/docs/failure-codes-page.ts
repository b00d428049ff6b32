import { allErrorCodes, errorCodes, type ErrorCode } from "../../contract/error-codes.ts";
import { retryAfterSeconds } from "../../contract/retry-after.ts";
import { failureCatalog } from "../../contract/failure-codes.ts";

const intro = `# Error codes

Every failure has an issue with one of these codes. A code is stable: its meaning, its status and
its name do not change; new codes may be added. Write programs against \`issues[].code\`, and show
\`message\` to people. A request without a credential is 401 with an empty \`issues\`.

**Retry** says that the same request may succeed later, and after how many seconds at the earliest.
The response has \`Retry-After\`, which can differ from the usual value below. Repeat a write with
the same \`Idempotency-Key\`, see [safe retries](rest.md#safe-retries).

In TypeScript, \`FailureCode\` of the [client](client.md) is the type of these codes.
`;

/** The page on all codes of issues, as Markdown. */
export const failureCodesPage = () => [intro, ...allErrorCodes.map(section)].join("\n");

function section(error: ErrorCode): string {
  const codes = Object.entries<string>(failureCatalog[error]).map(([code, sentence]) => ({
    code: `\`${code}\``,
    sentence,
    retry: retryOf(code),
  }));
  const rows = codes.map(({ code, sentence, retry }) => `| ${code} | ${sentence} | ${retry} |`);
  const title = `## ${errorCodes[error].status} \`${error}\``;
  return [title, "", "| Code | Meaning | Retry |", "| - | - | - |", ...rows, ""].join("\n");
}

const seconds: Readonly<Partial<Record<string, number>>> = retryAfterSeconds;

function retryOf(code: string): string {
  const after = seconds[code];
  return after === undefined ? "" : `${after} s`;
}
