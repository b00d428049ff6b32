import { expect } from "vitest";
import { tableOf } from "../../../src/kernel/access/resources.ts";
import { lockOrder } from "../../../src/kernel/batch/lock.ts";
import { useLocks, type Taken } from "../../support/locks.ts";
import { writes } from "../access/call.ts";
import type { Observer } from "./walk.ts";

const tables: string[] = lockOrder.map((kind) => tableOf(kind).table);
const above = tables.slice(tables.indexOf("labels"));
/** The tables of what is on a card, which its lock covers. */
const onCards = [
  ...tables.slice(1, tables.indexOf("labels")),
  "card_members",
  "card_labels",
  "card_field_values",
  "search_texts",
];
const order = ["users", "cards", ...onCards, ...above];

/** Whether rows are only locked behind a lock that the transaction holds: no other waits for them. */
const isCovered = (table: string, locked: string[]) =>
  locked.includes(onCards.includes(table) ? "cards" : "workspaces") &&
  [...onCards, "roles", "members"].includes(table);

/** The tables whose rows an insert locks by a trigger. */
const lockedByInsert: Record<string, string> = { card_members: "cards" };

/** The locks that a transaction waits for: not those of rows that it has inserted. */
function waitsOf(transaction: Taken[]): Taken[] {
  const made = new Set<string>();
  return transaction.flatMap((taken) => {
    const { by } = taken;
    const table = by === "insert" ? lockedByInsert[taken.table] : taken.table;
    if (by === "insert") made.add(taken.table);
    if (table === undefined || !order.includes(table)) return [];
    return made.has(table) ? [] : [{ ...taken, table }];
  });
}

/** What a transaction does against the order of locks. */
function faultsOf(transaction: Taken[]): string[] {
  const locked: string[] = [];
  return waitsOf(transaction).flatMap(({ table, by, rows, isOrdered, isRefused, statement }) => {
    if (locked.includes(table)) return [];
    // Others that hold the first rows for a while would use up all attempts of the transaction.
    if (isRefused === true) return [`${table} first without a wait: ${statement}`];
    const earlier = locked.find((one) => order.indexOf(one) > order.indexOf(table));
    const isFree = isCovered(table, locked);
    const isMany = by === "write" ? (rows() ?? 0) > 1 : !isOrdered;
    locked.push(table);
    if (isFree) return [];
    return [
      ...(earlier === undefined ? [] : [`${table} after ${earlier}: ${statement}`]),
      ...(isMany ? [`${table} without an order: ${statement}`] : []),
    ];
  });
}

/** The tables whose rows are written one at a time, or behind the lock of their one parent. */
const behindParents = new Set(
  `sessions password_resets stream_tickets oauth_states sign_ins identities second_factors recovery_codes
  sign_in_challenges integrations member_overrides board_members
  invites imports import_files imported_items imported_assignments deliveries jobs card_watchers
  board_favourites custom_field_options`.split(/\s+/),
);
const isOfOne = /(?:\b(?:id|key)|"(?:publicId|tokenHash|email|id)")"? = [$(]/;

/** Writes of many rows of other tables, without a lock of them in their order. */
function unorderedIn(transaction: Taken[]): string[] {
  const locked = new Set([...order, ...behindParents]);
  return transaction.flatMap(({ table, by, isOrdered, isRefused, statement }) => {
    if (by === "insert" || isRefused === true || locked.has(table)) return [];
    locked.add(table);
    const isMany = by === "write" ? !isOfOne.test(statement) : !isOrdered;
    return isMany ? [`${table} without an order: ${statement}`] : [];
  });
}

/** What transactions do against the order of locks. */
export const lockFaultsOf = (transactions: Taken[][]): string[] =>
  transactions.flatMap((one) => [...faultsOf(one), ...unorderedIn(one)]);

/** All transactions of writes lock in one order. */
export function locksInOrder(): Observer {
  const locks = useLocks();
  return {
    name: "locks in the one order",
    watches: writes,
    before: () => locks.start(),
    after: () => expect(lockFaultsOf(locks.taken())).toEqual([]),
  };
}
