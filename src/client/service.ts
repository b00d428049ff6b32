// The types of the service. The package has those of the document in place of this file.
export type { AppRouter } from "../app/router/index.ts";
export type { ErrorCode } from "../contract/error-codes.ts";
export type { BoardEvent } from "../contract/event-envelope.ts";
export type { EventType } from "../contract/events.ts";
export type { FailureCode } from "../contract/failure-codes.ts";
export type { SecondFactorChallenge } from "../contract/resources/second-factor.ts";
