import { router } from "../trpc.ts";
import { createLabel } from "./create.ts";
import { updateLabel } from "./update.ts";

/** Labels of a board. */
export const labels = router({ create: createLabel, update: updateLabel });
