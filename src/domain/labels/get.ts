import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { LabelDetail } from "../../contract/resources/labels.ts";
import { showLabelDetail } from "../presenters/labels.ts";

/** Reads a label. */
export const getLabel = query("label.get")
  .meta(rest("Labels").get("/labels/{labelPublicId}", "Get a label", "Returns a label of a board."))
  .output(LabelDetail)
  .query(({ ctx: { label, board } }) => showLabelDetail(label, board));
