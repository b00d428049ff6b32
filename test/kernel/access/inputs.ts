import type { Operation } from "../../../src/contract/policy.ts";
import { accountInputs } from "./inputs/account.ts";
import { boardInputs } from "./inputs/boards.ts";
import { cardInputs } from "./inputs/cards.ts";
import type { Make } from "./inputs/make.ts";
import { importInputs } from "./inputs/imports.ts";
import { memberInputs } from "./inputs/members.ts";
import { operatorInputs } from "./inputs/operator.ts";
import { workspaceInputs } from "./inputs/workspaces.ts";

export type { Target } from "./inputs/make.ts";

/** A valid input of every operation, for a target without dependents. */
export const inputs: Record<Operation, Make> = {
  ...accountInputs,
  ...workspaceInputs,
  ...memberInputs,
  ...boardInputs,
  ...cardInputs,
  ...importInputs,
  ...operatorInputs,
};
