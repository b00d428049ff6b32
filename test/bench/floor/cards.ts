import { publicId } from "../../../src/platform/db/public-id.ts";
import { allowed, type Database, type Query } from "./database.ts";
import { cardInfo } from "./reads.ts";

const around = `l."publicId" AS "listPublicId", l.name AS "listName", b.id AS "boardId", b."publicId" AS "boardPublicId", b.name AS "boardName",
  w.id AS "workspaceId", w."publicId" AS "workspacePublicId", w."cardPrefix", u.id AS "userId", u."publicId" AS "userPublicId", u.name AS "userName"`;
const upwards = `JOIN boards b ON b.id = l."boardId" AND b."deletedAt" IS NULL JOIN workspaces w ON w.id = l."workspaceId" AND w."deletedAt" IS NULL`;

const list = {
  name: "list for a new card",
  text: `SELECT l.id, ${around} FROM lists l ${upwards} ${allowed("card:create")}
    WHERE l."publicId" = $2 AND l."deletedAt" IS NULL FOR NO KEY UPDATE OF l`,
};
const number = {
  name: "number",
  text: `UPDATE workspaces SET "lastCardNumber" = "lastCardNumber" + 1 WHERE id = $1 RETURNING "lastCardNumber" AS number`,
};
const end = {
  name: "end",
  text: `SELECT max(position) AS last, count(*) FILTER (WHERE "archivedAt" IS NULL)::int AS count FROM cards WHERE "listId" = $1 AND "deletedAt" IS NULL`,
};
const insert = {
  name: "insert",
  text: `INSERT INTO cards ("publicId", "workspaceId", "boardId", "listId", number, title, description, position, "createdById", "createdAt", "updatedAt")
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) RETURNING *`,
};
const event = {
  name: "event",
  text: `INSERT INTO events ("publicId", "workspaceId", "boardPublicId", "cardPublicId", type, "isActivity", "actorType", "actorUserId",
      "actorPublicId", "actorName", credential, ip, "requestId", data, "createdAt")
    VALUES ($1, $2, $3, $4, $5, true, 'user', $6, $7, $8, 'session', '127.0.0.1', $9, $10, now())`,
};

/**
 * Adds a card at the end of a list: seven statements, of which two begin and end the transaction.
 */
export const cardCreate = (database: Database, session: string, body: any) =>
  database.transact(async (query) => {
    const [at] = await query(list, [session, body.listPublicId]);
    const [given] = await query(number, [at.workspaceId]);
    const [{ last, count }] = await query(end, [at.id]);
    const [row] = await query(insert, [
      publicId(),
      at.workspaceId,
      at.boardId,
      at.id,
      given.number,
      body.title,
      body.description ?? null,
      Math.floor(Number(last ?? 0)) + 1,
      at.userId,
      new Date(),
    ]);
    const card = cardInfo({ ...row, cardNumber: `${at.cardPrefix}-${row.number}` });
    await record(query, at, "card.created", { card, ...named(at) });
    return {
      ...card,
      index: count,
      listPublicId: at.listPublicId,
      boardPublicId: at.boardPublicId,
      workspacePublicId: at.workspacePublicId,
      claim: null,
      labels: [],
      members: [],
      checklists: [],
      attachments: [],
      fields: {},
      commentCount: 0,
      attachmentCount: 0,
      relations: [],
      isWatching: false,
    };
  });

const card = {
  name: "card to move",
  text: `SELECT c.id, ${around} FROM cards c JOIN lists l ON l.id = c."listId" ${upwards} ${allowed("card:edit")}
    WHERE c."publicId" = $2 AND c."deletedAt" IS NULL FOR NO KEY UPDATE OF c`,
};
const target = {
  name: "target",
  text: `SELECT l.id, l."publicId" AS "listPublicId", l.name AS "listName", b.id AS "boardId", b."publicId" AS "boardPublicId", b.name AS "boardName"
    FROM lists l JOIN boards b ON b.id = l."boardId" AND b."deletedAt" IS NULL
    WHERE l."publicId" = $1 AND l."workspaceId" = $2 AND l."deletedAt" IS NULL FOR NO KEY UPDATE OF l`,
};
const gap = {
  name: "gap",
  text: `SELECT position FROM cards WHERE "listId" = $1 AND "deletedAt" IS NULL AND "archivedAt" IS NULL AND id <> $2
    ORDER BY position OFFSET $3 LIMIT 2`,
};
const move = {
  name: "move",
  text: `UPDATE cards SET "listId" = $2, "boardId" = $3, position = $4, version = version + 1, "updatedAt" = $5 WHERE id = $1 RETURNING *`,
};

/**
 * Moves a card to an index of a list: seven statements, of which two begin and end the transaction.
 */
export const cardMove = (database: Database, session: string, id: string, body: any) =>
  database.transact(async (query) => {
    const [at] = await query(card, [session, id]);
    const [to] = await query(target, [body.listPublicId, at.workspaceId]);
    const [before, after] = await query(gap, [to.id, at.id, body.index - 1]);
    const [low, high] = [before, after].map((row) => (row ? Number(row.position) : null));
    const position =
      high === undefined || high === null ? (low ?? 0) + 1 : ((low ?? high - 2) + high) / 2;
    const [row] = await query(move, [at.id, to.id, to.boardId, position, new Date()]);
    const shown = cardInfo({ ...row, cardNumber: `${at.cardPrefix}-${row.number}` });
    await record(query, { ...at, ...to }, "card.moved", {
      card: shown,
      ...named(to),
      from: { listPublicId: at.listPublicId, boardPublicId: at.boardPublicId },
      to: { listPublicId: to.listPublicId, boardPublicId: to.boardPublicId, index: body.index },
    });
    const { title, description, dueDate } = shown;
    return { publicId: shown.publicId, title, description, dueDate };
  });

const named = (at: any) => ({
  list: { publicId: at.listPublicId, name: at.listName },
  board: { publicId: at.boardPublicId, name: at.boardName },
});

const record = (
  query: Query,
  at: any,
  type: string,
  data: { card: { publicId: string } } & Record<string, unknown>,
) =>
  query(event, [
    publicId(),
    at.workspaceId,
    at.boardPublicId,
    data.card.publicId,
    type,
    at.userId,
    at.userPublicId,
    at.userName,
    publicId(),
    data,
  ]);
