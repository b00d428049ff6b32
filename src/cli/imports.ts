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
  const { status, error, source, progress } = shown;
  if (status === "failed" || status === "cancelled") {
    // An invalid file fails while it is read, before anything is written.
    const isInvalid =
      status === "failed" && source === "trelloFile" && progress.phase === "reading";
    const exit = isInvalid ? exits.badFile : exits.failed;
    throw new CliFailure(exit, `The import has ${status}. ${error ?? ""}`.trim());
  }
}

const mostNamed = 5;

/** One line per kind and reason with the number of items, then the names and cards of some. */
function groupsOf(items: z.infer<typeof ImportReport>["report"]["items"]): string[] {
  const groups = new Map<string, typeof items>();
  for (const item of items) {
    const key = `${item.kind} ${item.reason}`;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()].flatMap((group) => {
    const [{ kind, reason } = { kind: "", reason: "" }] = group;
    const total = group.reduce((sum, { count }) => sum + count, 0);
    const named = group.flatMap(({ name, cardPublicId }) =>
      name === null
        ? []
        : [JSON.stringify(name) + (cardPublicId === null ? "" : ` (card ${cardPublicId})`)],
    );
    const more = named.length - mostNamed;
    return [
      `  ${kind} (${total}): ${reason}`,
      ...named.slice(0, mostNamed).map((name) => `    ${name}`),
      ...(more > 0 ? [`    … and ${more} more`] : []),
    ];
  });
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
    ...(report.items.length > 0 ? ["Not imported completely:"] : []),
    ...groupsOf(report.items),
    ...(report.nextCursor === null ? [] : [`  … and more: GET /api/v1/imports/${publicId}`]),
  ];
}
