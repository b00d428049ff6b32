import { z } from "zod";
import { PublicId } from "./texts.ts";

/** The example of an id, by the kind of resource that it names. */
export const exampleIds = {
  workspace: "k3v9x1q7w2m8",
  board: "p5d2h8s4t6b1",
  list: "z7c4n9f3j1y6",
  targetList: "z3t8a5r2g6l9",
  card: "q8w2e5r7t1y4",
  label: "l4b8e2l6x3a9",
  field: "f3i7e1l5d9q2",
  fieldOption: "o2p6t4i8o1n7",
  view: "v6i2e4w8s1x3",
  checklist: "c9h3k5l7s1t2",
  checklistItem: "i2t6m8a4d7o5",
  relation: "r7e2l4a9t1n3",
  attachment: "a9t4t2a7c1h5",
  comment: "c3o6m9m2e5n8",
  member: "m7e1m9b3r5s6",
  role: "r4o8l2e6x9w3",
  heir: "r2h7e4i1r9s5",
  webhook: "w1h5k9o3k7e2",
  import: "i8m2p6o4r1t9",
  session: "s6e2s8i4n9o1",
  apiKey: "a3p7k1e5y9z4",
  app: "a4p8p2c6l1n5",
  identity: "i7d3e9n2t5y8",
  secondFactor: "f6a2c8t4o1r9",
  invite: "n8v2t6e4l3i7",
  user: "u5s9r3a1d7l8",
  notification: "n4o7t1i8f2y5",
  delivery: "d5e8l2i7v4r6",
  event: "e2v8e6n4t1s7",
} as const;

/** A kind of resource that ids name. */
export type Kind = keyof typeof exampleIds;

/** What some kinds are called in texts. */
const nouns: { readonly [Name in Kind]?: string } = {
  apiKey: "API key",
  checklistItem: "checklist item",
  fieldOption: "option",
  secondFactor: "second factor",
  user: "account",
};

const about = (kind: Kind, description = `Public id of the ${nouns[kind] ?? kind}.`) => ({
  description,
  examples: [exampleIds[kind]],
});

/** The id of a resource, as answers have it. */
export const idOf = (kind: Kind, description?: string) => z.string().meta(about(kind, description));

/** The id of a resource, as inputs have it. */
export const inputId = (kind: Kind, description?: string) =>
  PublicId.meta(about(kind, description));
