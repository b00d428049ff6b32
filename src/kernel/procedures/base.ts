import { z } from "zod";
import { ruleOf, type Operation } from "../../contract/policy.ts";
import { ClientId, PublicId } from "../../contract/vocabulary/fields.ts";
import { procedure } from "../request/trpc.ts";
import { authenticate, needsCredential } from "./authenticate.ts";
import { maskInputErrors } from "./mask-input-errors.ts";
import { provision } from "./provision.ts";
import { refuseIfMatch } from "./refuse-if-match.ts";
import { sanitize } from "./sanitize.ts";
import type { Ids, InputParser } from "../calls/types.ts";

const NoInput = z.strictObject({});

/** The start of every operation: its credential, its input and the ids of its rule. */
export function base<Name extends Operation, Shape extends z.ZodRawShape>(
  name: Name,
  body?: z.ZodObject<Shape>,
) {
  const rule = ruleOf(name);
  const kinds = "needs" in rule ? [rule.by === undefined ? rule.on : [], rule.in ?? []].flat() : [];
  const ids = Object.fromEntries<typeof PublicId | typeof ClientId>([
    ...kinds.map((kind) => [`${kind}PublicId`, PublicId] as const),
    ...("creates" in rule ? [["publicId", ClientId] as const] : []),
  ]);
  // The ids are made from the rule at run time; the type derives the same ids from the rule's type.
  const schema = (body ?? NoInput).safeExtend(ids) as unknown as InputParser<Shape & Ids<Name>>;
  const authenticated = procedure.use(authenticate(rule.on));
  const checked = needsCredential(rule.on)
    ? authenticated.use(provision).use(maskInputErrors)
    : authenticated;
  return checked.use(refuseIfMatch(name)).use(sanitize).meta({ operation: name }).input(schema);
}
