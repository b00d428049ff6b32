import type { Operation } from "../../contract/policy.ts";
import type { Credential } from "../access/credential.ts";
import type { LogFilter } from "./log-sql.ts";

/** A reader of a workspace's log, with a filter. */
export type LogReader = {
  credential: Credential;
  operation: Operation;
  workspaceId: bigint;
  filter: LogFilter;
};
