// node due-cards.mjs: prints the overdue cards of all boards that an API key can see.
// `npm install` in this folder gets the client from the running service.
import { createClient, paginate } from "@workspace-board-service/client";

const { BOARDS_URL: url = "http://127.0.0.1:3000", BOARDS_KEY: token } = process.env;
if (!token) {
  console.error("Set BOARDS_KEY to an API key, such as BOARDS_KEY=wbs_… npm start.");
  console.error(`${url}/docs#/guide/quick-start shows how to create one.`);
  process.exit(1);
}
const boards = createClient({ url, auth: { token } });

for (const { workspace } of await boards.workspace.list()) {
  const inWorkspace = { workspacePublicId: workspace.publicId };
  for await (const board of paginate(boards.board.list, inWorkspace)) {
    const overdue = { boardPublicId: board.publicId, due: "overdue" };
    for await (const card of paginate(boards.board.cards, overdue)) {
      console.log(`${card.dueDate} ${card.cardNumber} ${card.title}`);
    }
  }
}
