import type { Repairs } from "../../../platform/json/readable.ts";
import type { Skip } from "./limits.ts";

/** Reports what was read in spite of damage. */
export function reportRepairs({ hasPreamble, replaced }: Repairs, skip: Skip): void {
  const issue = { kind: "export", severity: "partial" } as const;
  if (hasPreamble)
    skip({ ...issue, reason: "The file has lines before its JSON, which were left out." });
  if (replaced > 0) {
    const reason =
      "Characters of the file are not valid UTF-8 or were lost before: they show as �.";
    skip({ ...issue, count: replaced, reason });
  }
}
