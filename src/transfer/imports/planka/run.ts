import { z } from "zod";
import { notFound } from "../../../platform/errors.ts";
import { checkDestination, type OutgoingOptions } from "../../../platform/http/address-guard.ts";
import { sendTo } from "../../../platform/http/outgoing.ts";
import { joinUrl } from "../../../platform/http/third-party.ts";
import type { Host } from "../../integrations/hosts.ts";
import { listProjects, plankaHost } from "../../integrations/planka/read.ts";
import { SourceId } from "../../integrations/shapes.ts";
import { readerOf } from "../host-calls.ts";
import { filesOf, type FileAt } from "../source-files.ts";
import { source } from "../job/sources.ts";
import { importBoards } from "../write/staged-board.ts";
import { readPlankaBoard } from "./read.ts";

/** What is stored, sealed, until the import ends: never a password. */
const PlankaSource = z.object({
  url: z.string(),
  token: z.string().optional(),
  apiKey: z.string().optional(),
  projectIds: z.array(SourceId).optional(),
  boardIds: z.array(SourceId).optional(),
});

/** Imports boards from Planka's API. */
export const planka = source(PlankaSource, async (context, { url, token, apiKey, ...selected }) => {
  const host = plankaHost(url, { token, apiKey });
  const listing = await readerOf(context, host, "boards");
  const { boardIds, favouriteIds } = await listProjects(listing, selected.projectIds);
  const ids = selected.boardIds ?? boardIds;
  // Planka reads an access token from a cookie for files.
  const cookie = token === undefined ? {} : { Cookie: `accessToken=${encodeURIComponent(token)}` };
  const fetch = filesOf(context, host.service, ({ attachmentId, fileName }) => {
    const parts = ["attachments", attachmentId, "download", fileName];
    const path = parts.map((part) => `/${encodeURIComponent(part)}`).join("");
    return fileAt(host, context.deps.outgoing, path, cookie);
  });
  const missing = "Planka has no such board, or the account may not read it.";
  await importBoards(context, ids, missing, async (id, staging) => {
    const read = await readerOf(context, host, `board ${id}`);
    const board = await readPlankaBoard(context, read, { id, favouriteIds }, staging);
    return board && { ...board, fetch };
  });
});

/** A file of Planka, under a path that needs the credentials. */
function fileAt(
  host: Host,
  { policy, resolve, version }: OutgoingOptions,
  path: string,
  headers: Record<string, string>,
): FileAt {
  const url = joinUrl(host.url, path);
  return {
    url,
    async send(signal) {
      const destination = await checkDestination(url, policy, resolve, signal);
      if ("refusal" in destination) throw notFound("source");
      const all = { ...host.headers, ...headers };
      return sendTo(destination, { headers: all, version, signal, timeoutMs: 15_000 });
    },
  };
}
