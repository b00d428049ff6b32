import { manualMutation } from "./manual-mutation.ts";
import { query } from "./query.ts";

/** An operation that reads and calls other services. */
export const externalQuery = query;

/** An operation that writes and calls other services or the storage, outside its transactions. */
export const externalMutation = manualMutation;
