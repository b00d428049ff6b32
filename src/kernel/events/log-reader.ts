import type { Operation } from "../../contract/policy.ts";
import type { Credential } from "../access/credential.ts";
import type { LogFilter } from "./log.ts";

/** Somebody who reads a workspace's log, and what of it they want. */
export type LogReader = {
  credential: Credential;
  operation: Operation;
  workspaceId: bigint;
  filter: LogFilter;
};
