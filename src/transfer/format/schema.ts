import { z } from "zod";
import { formatVersion, WorkspaceExport } from "./workspace.ts";

/** The JSON Schema of the document of a workspace. */
export const schemaOfExport = () => ({
  title: `An exported workspace, version ${formatVersion}`,
  ...z.toJSONSchema(WorkspaceExport, { io: "input", target: "draft-2020-12" }),
});
