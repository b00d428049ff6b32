import type { z } from "zod";
import type { enteringEvents } from "../../contract/events.ts";
import type { EmittedType, Operation, RuleOf } from "../../contract/policy.ts";
import type { ClientId, Override, PublicId } from "../../contract/vocabulary/texts.ts";
import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import type { Membership } from "../access/authorize.ts";
import type { Caller } from "../access/callers.ts";
import type { TargetResources } from "../access/resources.ts";

type On<Name extends Operation> = RuleOf<Name>["on"];
type ParentKind<Name extends Operation> =
  RuleOf<Name> extends { in: infer In extends ResourceKind } ? In : never;
type ById<Name extends Operation> =
  RuleOf<Name> extends { by: "slug" } ? never : Extract<On<Name>, ResourceKind>;

/** The kind of resource that an operation creates. */
export type Created<Name extends Operation> =
  RuleOf<Name> extends { creates: infer Kind extends ResourceKind } ? Kind : never;

/** Whether an operation may bring cards into lists, and is no import. */
type BringsCards<Name extends Operation> =
  Extract<Emits<Name>, (typeof enteringEvents)[number]> extends never
    ? false
    : "import.started" extends Emits<Name>
      ? false
      : true;

/** The fields that an operation's rule adds to its input: ids, and `override`. */
export type RuleFields<Name extends Operation> = {
  [Kind in ById<Name> | ParentKind<Name> as `${Kind}PublicId`]: typeof PublicId;
} & Record<Created<Name> extends never ? never : "publicId", typeof ClientId> &
  Record<BringsCards<Name> extends true ? "override" : never, typeof Override>;

/** The types of events that an operation may emit. */
export type Emits<Name extends Operation> =
  RuleOf<Name> extends { emits: readonly (infer Type extends EmittedType)[] } ? Type : never;

/** What every handler gets: the caller, and the target with its ancestors if there is one. */
export type HandlerContext<Name extends Operation> =
  On<Name> extends infer Kind extends ResourceKind
    ? { caller: Caller; membership: Membership } & TargetResources<
        Kind,
        RuleOf<Name> extends { uses: infer U } ? U : object,
        RuleOf<Name> extends { evenDeleted: true } ? "deletedAt" : never
      >
    : { caller: On<Name> extends "self" ? Caller : OperatorOf<Name> };

/** The account of an operator; null for the operator's key. */
type OperatorOf<Name extends Operation> = On<Name> extends "operator" ? Caller | null : null;

/** A call of an operation, with its input as the schema of the operation made it. */
export type NamedCall = { name: Operation; input: Record<string, unknown> };

/** A parser of an input; an input without required fields may be left out. */
export type InputParser<Shape extends z.ZodRawShape> = {
  _input: Record<never, never> extends z.input<z.ZodObject<Shape>>
    ? z.input<z.ZodObject<Shape>> | void
    : z.input<z.ZodObject<Shape>>;
  _output: z.output<z.ZodObject<Shape>>;
  parse: (input: unknown) => z.output<z.ZodObject<Shape>>;
};

/** The fields of an operation that has no input. */
export type NoFields = Record<never, never>;
