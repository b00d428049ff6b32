import createClient from "openapi-fetch";
import type { components, paths } from "../e2e/document.ts";
import type { Call, Client } from "./session.ts";

type Schemas = components["schemas"];
type Query = { limit?: number; cursor?: string; filename?: string; labels?: string[] };

/** A client with the types of openapi-typescript. */
export function openapiFetch(url: string): Client {
  return async (call) => {
    const { token, path = {} } = call;
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const { data, error, response } = await send(
      createClient<paths>({ baseUrl: url, headers }),
      call,
      path,
    );
    if (!(data instanceof ArrayBuffer)) return { status: response.status, data: data ?? error };
    return { status: response.status, file: Buffer.from(data).toString("base64") };
  };
}

async function send(
  client: ReturnType<typeof createClient<paths>>,
  call: Call,
  { cardPublicId = "", boardPublicId = "", workspacePublicId = "", ...ids }: Record<string, string>,
) {
  const workspace = { params: { path: { workspacePublicId } } };
  const board = { params: { path: { boardPublicId } } };
  const card = { params: { path: { cardPublicId } } };
  switch (call.operation) {
    case "auth.register":
      return client.POST("/auth/register", { body: call.body as Schemas["RegisterAuthInput"] });
    case "workspace.create":
      return client.POST("/workspaces", { body: call.body as Schemas["CreateWorkspaceInput"] });
    case "workspace.export":
      return client.GET("/workspaces/{workspacePublicId}/export", workspace);
    case "board.create": {
      const body = call.body as Schemas["CreateBoardInput"];
      return client.POST("/workspaces/{workspacePublicId}/boards", { ...workspace, body });
    }
    case "board.cards": {
      const params = { ...board.params, query: call.query as Query };
      return client.GET("/boards/{boardPublicId}/cards", { params });
    }
    case "board.queryCards": {
      const body = call.body as Schemas["QueryBoardCardsInput"];
      return client.POST("/boards/{boardPublicId}/cards/query", { ...board, body });
    }
    case "field.create": {
      const body = call.body as Schemas["CreateFieldInput"];
      return client.POST("/boards/{boardPublicId}/fields", { ...board, body });
    }
    case "view.create": {
      const body = call.body as Schemas["CreateViewInput"];
      return client.POST("/workspaces/{workspacePublicId}/views", { ...workspace, body });
    }
    case "view.cards": {
      const params = { path: { viewPublicId: ids["viewPublicId"] ?? "" } };
      return client.GET("/views/{viewPublicId}/cards", { params });
    }
    case "board.exportCsv":
      return client.GET("/boards/{boardPublicId}/cards.csv", { ...board, parseAs: "arrayBuffer" });
    case "card.create":
      return client.POST("/cards", { body: call.body as Schemas["CreateCardInput"] });
    case "card.get":
      return client.GET("/cards/{cardPublicId}", card);
    case "card.update": {
      const body = call.body as Schemas["UpdateCardInput"];
      return client.PUT("/cards/{cardPublicId}", { ...card, body });
    }
    case "card.toggleLabel": {
      const params = { path: { cardPublicId, labelPublicId: ids["labelPublicId"] ?? "" } };
      return client.PUT("/cards/{cardPublicId}/labels/{labelPublicId}", { params });
    }
    case "label.create":
      return client.POST("/labels", { body: call.body as Schemas["CreateLabelInput"] });
    case "checklist.create": {
      const body = call.body as Schemas["CreateChecklistInput"];
      return client.POST("/cards/{cardPublicId}/checklists", { ...card, body });
    }
    case "checklist.addItem":
      return client.POST("/checklists/items", {
        body: call.body as Schemas["AddChecklistItemInput"],
      });
    case "comment.create": {
      const body = call.body as Schemas["CreateCommentInput"];
      return client.POST("/cards/{cardPublicId}/comments", { ...card, body });
    }
    case "attachment.upload":
      return client.POST("/cards/{cardPublicId}/attachments", {
        params: { ...card.params, query: call.query as Query },
        body: call.file ?? "",
        bodySerializer: (body: string | { file: string }) =>
          Buffer.from(typeof body === "string" ? body : body.file, "base64"),
        headers: { "Content-Type": "application/octet-stream" },
      });
    case "attachment.download":
      return client.GET("/attachments/{attachmentPublicId}/content", {
        params: { path: { attachmentPublicId: ids["attachmentPublicId"] ?? "" } },
        parseAs: "arrayBuffer",
      });
    default:
      throw new Error(call.operation);
  }
}
