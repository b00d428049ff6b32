import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { importSources } from "../contract/vocabulary/import-sources.ts";
import { Import, ImportLossGroup, ImportReport } from "../contract/resources/imports.ts";
import type { Api } from "./api.ts";
import { CliFailure, exits } from "./failure.ts";
import { createProgress, print, printStatus, type Progress } from "./progress.ts";

type Started = z.infer<typeof Import>;

const pollMs = 500;
/** How long the service may be away: an import continues where it was. */
const maxSilenceMs = 120_000;

const path = (publicId: string) => `/imports/${encodeURIComponent(publicId)}`;

/** Starts an import and follows it to its end; an interruption cancels it. */
export async function runImport(
  api: Api,
  signal: AbortSignal,
  start: (progress: Progress) => Promise<Started>,
  asJson: boolean,
): Promise<void> {
  const progress = createProgress();
  let started: Started | undefined;
  try {
    signal.throwIfAborted();
    started = await start(progress);
    progress.end();
    printStatus(`Import ${started.publicId} into workspace ${started.workspacePublicId}`);
    await follow(api, started.publicId, progress, signal);
    progress.end();
    await showImport(api, started.publicId, asJson);
  } catch (error) {
    progress.end();
    if (signal.aborted && started !== undefined) await tryToCancel(api, started.publicId);
    throw error;
  }
}

/** Cancels an interrupted import; when that fails, prints how to do it later. */
async function tryToCancel(api: Api, publicId: string) {
  await requestCancel(api, publicId).catch((error: unknown) => {
    if (!(error instanceof CliFailure)) throw error;
    printStatus(
      `Import ${publicId} is not cancelled: ${error.message}\n  wbs cancel ${publicId} cancels it.`,
    );
  });
}

async function follow(api: Api, publicId: string, progress: Progress, signal: AbortSignal) {
  let answeredAt = performance.now();
  let wasThere = true;
  for (;;) {
    try {
      const now = await api.json(Import, path(publicId), { signal });
      answeredAt = performance.now();
      wasThere = true;
      const { phase, done, total } = now.progress;
      progress.at(phase ?? now.status, done, total);
      if (!["queued", "running"].includes(now.status)) return;
    } catch (error) {
      const isAway = error instanceof CliFailure && error.exit === exits.unreachable;
      if (!isAway) throw error;
      if (performance.now() - answeredAt > maxSilenceMs) {
        const hint =
          "The import continues when the service is back: " +
          `wbs status ${publicId} shows its progress.`;
        throw new CliFailure(error.exit, `${error.message}\n  ${hint}`, { cause: error });
      }
      if (wasThere) {
        progress.end();
        printStatus(`${error.message} The import continues when it is back.`);
      }
      wasThere = false;
    }
    await pause(pollMs, undefined, { signal });
  }
}

/** Cancels an import, and prints its status. */
export async function requestCancel(api: Api, publicId: string): Promise<void> {
  const { status } = await api.json(Import, `${path(publicId)}/cancel`, { method: "POST" });
  printStatus(`Import ${publicId} is ${status}.`);
}

const Groups = z.object({ groups: z.array(ImportLossGroup), isCapped: z.boolean() });

/** Prints the progress, counts and report of an import; fails when the import has failed. */
export async function showImport(api: Api, publicId: string, asJson: boolean): Promise<void> {
  const report = await api.json(ImportReport, path(publicId));
  const { groups, isCapped } = await api.json(Groups, `${path(publicId)}/report`);
  if (asJson) print(JSON.stringify({ ...report, groups }));
  else {
    const moreLines = isCapped ? [`  … and more: GET /api/v1/imports/${publicId}`] : [];
    for (const line of [...linesOf(report), ...linesOfReport(groups), ...moreLines]) print(line);
  }
  const { status, error, source, progress } = report;
  if (status === "failed" || status === "cancelled") {
    // An invalid file fails while it is read, before anything is written.
    const isInvalid =
      status === "failed" && importSources[source].isFile && progress.phase === "reading";
    const exit = isInvalid ? exits.badFile : exits.failed;
    const verb = status === "failed" ? "has failed" : "was cancelled";
    throw new CliFailure(exit, `The import ${verb}. ${error ?? ""}`.trim());
  }
}

type Group = z.infer<typeof ImportLossGroup>;

const headings = [
  ["loss", "Not imported:"],
  ["partial", "Imported in part:"],
  ["info", "Nothing is lost:"],
] as const;

/** One line per kind and reason with the number of items, then names and cards of some. */
const linesOfReport = (groups: Group[]): string[] =>
  headings.flatMap(([severity, heading]) => {
    const ofSeverity = groups.filter((group) => group.severity === severity);
    return ofSeverity.length === 0 ? [] : [heading, ...ofSeverity.flatMap(linesOfGroup)];
  });

function linesOfGroup({ kind, reason, count, examples }: Group): string[] {
  const exampleLines = examples.flatMap(({ name, detail, card }) => {
    const text = [name === null ? [] : JSON.stringify(name), detail ?? []].flat().join(": ");
    const on = card === null ? [] : `${card.cardNumber} ${JSON.stringify(card.title)} ${card.url}`;
    const parts = [text === "" ? [] : text, on].flat();
    return parts.length === 0 ? [] : [`    ${parts.join(" – ")}`];
  });
  const isMore = exampleLines.length > 0 && count > examples.length;
  return [`  ${kind} (${count}): ${reason}`, ...exampleLines, ...(isMore ? ["    …"] : [])];
}

function linesOf({ publicId, status, progress, counts, boards }: z.infer<typeof ImportReport>) {
  const { phase, done, total } = progress;
  const far = status === "running" && phase !== null ? `, ${phase} ${done} of ${total ?? "?"}` : "";
  return [
    `Import ${publicId}: ${status}${far}`,
    ...boards.map((board) => `  board ${board.publicId} ${JSON.stringify(board.name)}`),
    ...counts.map(({ kind, created, alreadyThere, leftOut }) => {
      const alreadyThereText = alreadyThere > 0 ? `, ${alreadyThere} already there` : "";
      const skipped = leftOut > 0 ? `, ${leftOut} skipped` : "";
      return `  ${kind}: ${created} created${alreadyThereText}${skipped}`;
    }),
  ];
}
