import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Label } from "../../contract/resources/labels.ts";
import { viewLabel } from "../views/labels.ts";

/** Reads a label. */
export const getLabel = query("label.get")
  .meta(rest("Labels").get("/labels/{labelPublicId}", "Read a label", "A label of a board."))
  .output(Label)
  .query(({ ctx: { label } }) => viewLabel(label));
