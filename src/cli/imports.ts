import { setTimeout as pause } from "node:timers/promises";
import type { z } from "zod";
import { Import, ImportReport } from "../contract/resources/imports.ts";
import type { Api } from "./api.ts";
import { CliFailure, exits } from "./failure.ts";
import { createProgress, print, say, type Progress } from "./progress.ts";

type Started = z.infer<typeof Import>;

const pollMs = 500;
/** For how long the service may be away: an import goes on where it was. */
const maxSilenceMs = 120_000;
const mostShown = 50;

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
    say(`Import ${started.publicId} into workspace ${started.workspacePublicId}`);
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
  await cancelImport(api, publicId).catch((error: unknown) => {
    if (!(error instanceof CliFailure)) throw error;
    say(
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
        say(`${error.message} The import continues when it is back.`);
      }
      wasThere = false;
    }
    await pause(pollMs, undefined, { signal });
  }
}

/** Cancels an import, and prints its status. */
export async function cancelImport(api: Api, publicId: string): Promise<void> {
  const { status } = await api.json(Import, `${path(publicId)}/cancel`, { method: "POST" });
  say(`Import ${publicId} is ${status}.`);
}

/** Prints the progress, counts and report of an import; fails when the import has failed. */
export async function showImport(api: Api, publicId: string, asJson: boolean): Promise<void> {
  const shown = await api.json(ImportReport, `${path(publicId)}?limit=${mostShown}`);
  if (asJson) print(JSON.stringify(shown));
  else for (const line of linesOf(shown)) print(line);
  const { status, error } = shown;
  if (status === "failed" || status === "cancelled") {
    throw new CliFailure(exits.failed, `The import has ${status}. ${error ?? ""}`.trim());
  }
}

function linesOf({
  publicId,
  status,
  progress,
  counts,
  report,
  boards,
}: z.infer<typeof ImportReport>) {
  const { phase, done, total } = progress;
  const far = status === "running" && phase !== null ? `, ${phase} ${done} of ${total ?? "?"}` : "";
  return [
    `Import ${publicId}: ${status}${far}`,
    ...boards.map((board) => `  board ${board.publicId} ${JSON.stringify(board.name)}`),
    ...counts.map(({ kind, created, alreadyThere, leftOut }) => {
      const existing = alreadyThere > 0 ? `, ${alreadyThere} there already` : "";
      const skipped = leftOut > 0 ? `, ${leftOut} left out` : "";
      return `  ${kind}: ${created} made${existing}${skipped}`;
    }),
    ...(report.items.length > 0 ? ["Not carried over whole:"] : []),
    ...report.items.map(({ kind, name, reason, count }) => {
      const named = name === null ? "" : ` ${JSON.stringify(name)}`;
      const times = count > 1 ? ` (${count})` : "";
      return `  ${kind}${named}${times}: ${reason}`;
    }),
    ...(report.nextCursor === null ? [] : [`  … and more: GET /api/v1/imports/${publicId}`]),
  ];
}
