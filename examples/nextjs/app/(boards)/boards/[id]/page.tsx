import { isError, isNotFound } from "@workspace-board-service/client";
import { dehydrate } from "@workspace-board-service/client/server";
import { cookies } from "next/headers";
import { notFound } from "next/navigation";
import { sessions } from "../../../../sessions";
import { BoardPage } from "./board";

/** Reads the board on the server, so that the first page shows it. */
export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const boards = sessions.client(await cookies());
  const board = await boards.board.get({ boardPublicId: id }).catch((error: unknown) => {
    // A restricted board of others is FORBIDDEN.
    if (isNotFound(error) || isError(error, "FORBIDDEN")) notFound();
    throw error;
  });
  return <BoardPage id={id} state={dehydrate({ board })} />;
}
