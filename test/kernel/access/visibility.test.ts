import { beforeAll, describe, expect, test } from "vitest";
import {
  holdsPermission,
  isVisible,
  isVisibleTo,
  membersWhoSee,
  membersWith,
  readBoardAccess,
  sees,
} from "../../../src/kernel/access/visibility.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeWorkspace, type Board } from "../../support/make.ts";
import { setOverride } from "./membership.ts";

const app = useApp();

const visibilities = ["private", "restricted", "public"] as const;

type Member = {
  id: bigint;
  publicId: string;
  /** Whether the member holds `workspace:manage`, by the override or else by the role. */
  manages: boolean;
  /** Whether the API says so. */
  shown: boolean;
  isOnBoards: boolean;
};

let boards: (Board & { id: bigint; visibility: (typeof visibilities)[number] })[];
let members: Member[];

beforeAll(async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  boards = [];
  for (const visibility of visibilities) {
    const board = await makeBoard(workspace);
    await rest.put(`/boards/${board.publicId}`, { visibility });
    const where = { publicId: board.publicId };
    const { id } = await app().db.reader.board.findUniqueOrThrow({ where });
    boards.push({ ...board, id, visibility });
  }
  members = [];
  for (const role of ["admin", "member"] as const) {
    for (const override of [undefined, true, false]) {
      for (const isOnBoards of [true, false]) {
        const user = await join(app(), workspace, role);
        const publicId = user.memberPublicId;
        for (const board of isOnBoards ? boards : []) {
          await rest.put(`/boards/${board.publicId}/members/${publicId}`);
        }
        if (override !== undefined) {
          await setOverride(app(), publicId, "workspace:manage", override);
        }
        const { body } = await user.rest.get(`/workspaces/${workspace.publicId}/permissions/me`);
        const { id } = await app().db.reader.member.findUniqueOrThrow({ where: { publicId } });
        const shown = body.permissions.includes("workspace:manage");
        members.push({ id, publicId, manages: override ?? role === "admin", shown, isOnBoards });
      }
    }
  }
});

/** Every combination of a board, a member and the board of the caller's API key. */
const combinations = () =>
  boards.flatMap((board) =>
    members.flatMap((member) =>
      [null, ...boards.map(({ id }) => id)].map((keyBoardId) => {
        const isAllowed = board.visibility !== "restricted" || member.isOnBoards || member.manages;
        const expected = isAllowed && (keyBoardId === null || keyBoardId === board.id);
        return { board, member, keyBoardId, expected };
      }),
    ),
  );

describe("the visibility of a board", () => {
  test("is the same in SQL and in memory", async () => {
    const access = await readBoardAccess(
      app().db.read,
      boards.map(({ publicId }) => publicId),
    );
    const found = combinations();
    expect(found).toHaveLength(3 * 12 * 4);
    for (const { board, member, keyBoardId, expected } of found) {
      const viewer = {
        memberId: member.id,
        managesWorkspace: member.manages,
        boardId: keyBoardId,
      };
      const [row] = await app().db.read<{ visible: boolean }>(
        sql`SELECT ${isVisible(viewer)} AS visible FROM boards b WHERE b.id = ${board.id}`,
      );
      const inMemory = sees(viewer, access.get(board.publicId));
      const label = `${board.visibility}, key of ${keyBoardId}, ${JSON.stringify(member, text)}`;
      expect([row?.visible, inMemory], label).toEqual([expected, expected]);
    }
  });

  test("is the same in SQL that reads the permission, and in Prisma", async () => {
    for (const board of boards) {
      const expected = combinations()
        .filter((one) => one.board === board && one.keyBoardId === null && one.expected)
        .map(({ member }) => member.publicId);
      const manages = holdsPermission(sql`'workspace:manage'`);
      const inSql = await app().db.read<{ publicId: string }>(sql`
        SELECT m."publicId" FROM members m JOIN roles r ON r.id = m."roleId"
          JOIN boards b ON b.id = ${board.id}
        WHERE m.id = ANY (${members.map(({ id }) => id)}::bigint[])
          AND ${isVisibleTo(sql`m.id`, manages)}`);
      const inPrisma = await app().db.reader.member.findMany({
        where: { AND: [{ id: { in: members.map(({ id }) => id) } }, membersWhoSee(board)] },
      });
      for (const rows of [inSql, inPrisma]) {
        expect(rows.map(({ publicId }) => publicId).toSorted(), board.visibility).toEqual(
          expected.toSorted(),
        );
      }
    }
  });
});

test("a permission by role and override is the same in SQL, in Prisma and in memory", async () => {
  expect(members.map(({ shown }) => shown)).toEqual(members.map(({ manages }) => manages));
  const ids = members.map(({ id }) => id);
  const expected = members.filter(({ manages }) => manages).map(({ publicId }) => publicId);
  const inSql = await app().db.read<{ publicId: string }>(sql`
    SELECT m."publicId" FROM members m JOIN roles r ON r.id = m."roleId"
    WHERE m.id = ANY (${ids}::bigint[]) AND ${holdsPermission(sql`'workspace:manage'`)}`);
  const inPrisma = await app().db.reader.member.findMany({
    where: { AND: [{ id: { in: ids } }, membersWith("workspace:manage")] },
  });
  for (const rows of [inSql, inPrisma]) {
    expect(rows.map(({ publicId }) => publicId).toSorted()).toEqual(expected.toSorted());
  }
});

const text = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
