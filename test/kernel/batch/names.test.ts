import type { z } from "zod";
import { expect, test } from "vitest";
import { idFieldOf, mayBeBatched, ruleOf } from "../../../src/contract/policy.ts";
import { operations, routeOf, writes } from "../access/call.ts";

/** Fields with ids of what an operation does not lock, with the reason. */
const unlocked: Readonly<Record<string, string>> = {
  publicId: "the id of what is created",
  workspacePublicId: "every operation of a batch is in its workspace",
  memberPublicId: "assignments and memberships of boards lock the card or the board",
  memberPublicIds: "assignments lock the card",
  addMemberPublicIds: "assignments lock the card",
  removeMemberPublicIds: "assignments lock the card",
  removeLabelPublicIds: "the pair is on the locked card",
  beforeListPublicId: "its place changes only while the board is locked",
  afterListPublicId: "its place changes only while the board is locked",
  beforeCardPublicId: "its place changes only while the list is locked",
  afterCardPublicId: "its place changes only while the list is locked",
  sourceBoardPublicId: "a copy reads one snapshot",
  boards: "a view only names its boards",
  relationPublicId: "it leads to the other card, which is locked with a short wait",
  deliveryPublicId: "a delivery is sent again without a lock",
};

/** Whether a field takes ids: one, or a list of them. */
function takesIds(field: z.ZodType): boolean {
  const [id, other] = ["q8w2e5r7t1y4", "abcde"];
  const takes = (of: (id: string) => unknown) =>
    field.safeParse(of(id)).success && !field.safeParse(of(other)).success;
  const related = (value: string) => [{ kind: "blocks", relatedCardPublicId: value }];
  return takes((value) => value) || takes((value) => [value]) || takes(related);
}

test.each(operations.filter((name) => writes(name) && mayBeBatched(ruleOf(name))))(
  "the policy row of %s names the ids of what it locks",
  (name) => {
    const rule = ruleOf(name);
    if (!("needs" in rule)) throw new Error("It has no target.");
    const named = Object.values(rule.names ?? {}).flat();
    // What the target is in is locked with the target.
    const ofTarget = [idFieldOf(rule), `${rule.in}PublicId`];
    const shape: Record<string, z.ZodType> = routeOf(name).definition.input.shape;
    const fields = Object.keys(shape).filter((field) => shape[field] && takesIds(shape[field]));
    expect(fields).toEqual(expect.arrayContaining(named));
    const known = new Set([...named, ...ofTarget, ...Object.keys(unlocked)]);
    expect(fields.filter((field) => !known.has(field))).toEqual([]);
  },
);
