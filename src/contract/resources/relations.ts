import { z } from "zod";
import { IsDueAllDay } from "../fields/shared.ts";
import { exampleIds, idOf } from "../vocabulary/ids.ts";
import { seenKinds } from "../vocabulary/relation-kinds.ts";
import { PublicId, Timestamp } from "../vocabulary/texts.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";
import { ListRef } from "./lists.ts";
import { MemberRef } from "./members.ts";
import type { Part } from "../fields/part.ts";

/** What a card is to another one. */
export const RelationKind = z.enum(seenKinds).meta({
  id: "RelationKind",
  description:
    "What the card is to the other one. `blocks`: it must be complete before the other can be " +
    "worked on. `parent`: the other is a part of it. `blockedBy`, `child` and `duplicatedBy` are " +
    "the same from the other end.",
  examples: ["blocks"],
});

const CardNumber = z.string().meta({
  description: "The card prefix and number, such as `ENG-12`.",
  examples: ["AE-12"],
});

/** The other end of a relation, as a card shows it. */
const RelatedCard = z
  .object({
    publicId: idOf("card"),
    title: z
      .string()
      .meta({ description: "The title of the card.", examples: ["Write the announcement"] }),
    cardNumber: CardNumber,
    boardPublicId: idOf("board"),
    list: ListRef,
    isComplete: z.boolean().meta({ description: "Whether the card is complete." }),
    isArchived: z.boolean().meta({ description: "Whether the card is archived." }),
    dueDate: Timestamp.nullable().meta({
      description: "When the card is due, in UTC. Null if it has no due date.",
      examples: ["2026-02-01T17:00:00.000Z"],
    }),
    isDueAllDay: IsDueAllDay,
    members: z.array(MemberRef).meta({ description: "The assigned members." }),
  })
  .meta({ id: "RelatedCard", description: "The other card of a relation." });

/** A relation of a card, as that card shows it. */
export const Relation = viewedWith(
  "card:view",
  z
    .object({
      publicId: idOf("relation"),
      kind: RelationKind,
      card: RelatedCard.meta({ description: "The other card." }),
    })
    .meta({ id: "Relation", description: "What a card is to another one." }),
);

/** A relation in its events: of one of the two cards. */
export const RelationEvent = viewedWith(
  "card:view",
  z
    .object({ publicId: idOf("relation"), kind: RelationKind })
    .meta({ description: "The relation." }),
);

/** The other card in the events of a relation. */
export const RelationTarget = z
  .object({ cardPublicId: idOf("card"), cardNumber: CardNumber, boardPublicId: idOf("board") })
  .meta({ description: "The other card." });

const StoredRelation = z.strictObject({
  kind: z.enum(seenKinds),
  cardPublicId: PublicId,
  position: z.int().min(0).max(1_000_000),
});

const relatedIds = (description: string) =>
  z.array(PublicId).meta({ description, examples: [[exampleIds.card]] });

/** What a card is to others. */
export const relationsPart = {
  tables: { card_relations: { parent: { table: "cards", column: "fromId" } } },
  summary: {
    openBlockers: z.int().meta({
      description:
        "How many cards of the same board, which are not archived, block it and are not complete. " +
        "`card.get` shows those of other boards too.",
      examples: [0],
    }),
    children: z
      .object({
        total: z.int().meta({ description: "All of them.", examples: [3] }),
        completed: z.int().meta({ description: "Those that are complete.", examples: [1] }),
      })
      .meta({
        id: "ChildCounts",
        description:
          "How many cards of the same board, which are not archived, it is the parent of.",
      }),
    relatedCards: z
      .object({
        parent: PublicId.nullable().meta({ description: "Its parent.", examples: [null] }),
        children: relatedIds("Those that it is the parent of."),
        blocks: relatedIds("Those that it blocks."),
        blockedBy: relatedIds("Those that block it."),
      })
      .meta({
        id: "RelatedCards",
        description: "Public ids of cards of the same board, which are not archived.",
      }),
  },
  detail: {
    relations: z.array(Relation).meta({
      description:
        "What the card is to others, with those that the caller may see. Children are in order.",
    }),
  },
  // Files of older versions have none.
  stored: { relations: z.array(StoredRelation).max(10_000).default([]) },
  counted: ["relations"],
  lines: {
    relation: viewedWith(
      "card:view",
      Relation.omit({ kind: true }).extend({
        relationKind: RelationKind,
        cardPublicId: z.string(),
      }),
    ),
  },
  selected: "what cards are to other cards",
  copied: { onBoards: true },
} as const satisfies Part;
