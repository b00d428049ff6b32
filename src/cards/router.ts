import { router } from "../trpc.ts";
import { createCard } from "./create.ts";
import { deleteCard } from "./delete.ts";
import { getCard } from "./get.ts";
import { toggleCardLabel } from "./toggle-label.ts";
import { updateCard } from "./update.ts";

/** Cards of a list. */
export const cards = router({
  create: createCard,
  get: getCard,
  update: updateCard,
  delete: deleteCard,
  toggleLabel: toggleCardLabel,
});
