import { z } from "zod";
import { listProjects, plankaHost } from "../../integrations/planka/read.ts";
import { SourceId } from "../../integrations/shapes.ts";
import { readerOf } from "../host-calls.ts";
import { hostFiles } from "../host-files.ts";
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
  const fetch = hostFiles(context, host, ({ attachmentId, fileName }) => {
    const path = ["attachments", attachmentId, "download", fileName];
    return { path: path.map((part) => `/${encodeURIComponent(part)}`).join(""), headers: cookie };
  });
  const missing = "Planka has no such board, or the account may not read it.";
  await importBoards(context, ids, missing, async (id, staging) => {
    const read = await readerOf(context, host, `board ${id}`);
    const board = await readPlankaBoard(context, read, { id, favouriteIds }, staging);
    return board && { ...board, fetch };
  });
});
