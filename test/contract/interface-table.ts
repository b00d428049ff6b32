type Row = {
  route: string;
  failures: string[];
  isArray?: true;
  fields: string[];
  query?: Record<string, object>;
  body?: { properties: Record<string, object>; required?: string[] };
};

const text = { type: "string" };
const permission = {
  properties: { permission: { $ref: "#/components/schemas/Permission" } },
  required: ["permission"],
};
const usual = ["401", "403", "500"];
const known = ["400", ...usual];
const found = ["400", "401", "403", "404", "500"];
const workspace = "/workspaces/{workspacePublicId}";

/** The 16 operations of the interface. Without declared errors the usual three apply. */
export const interfaceTable: Record<string, Row> = {
  "workspace.list": {
    route: "GET /workspaces",
    failures: usual,
    isArray: true,
    fields: ["role", "workspace"],
  },
  "workspace.create": {
    route: "POST /workspaces",
    failures: usual,
    fields: ["publicId", "name", "slug", "description", "plan", "cardPrefix"],
    body: {
      properties: {
        name: { ...text, minLength: 1, maxLength: 64 },
        description: { maxLength: 280 },
        slug: { ...text, minLength: 3, maxLength: 64, pattern: "^-*[a-zA-Z0-9][a-zA-Z0-9-]*$" },
      },
      required: ["name"],
    },
  },
  "workspace.delete": { route: `DELETE ${workspace}`, failures: found, fields: ["success"] },
  "permission.ofMember": {
    route: `GET ${workspace}/members/{memberPublicId}/permissions`,
    failures: found,
    fields: ["memberPublicId", "role", "permissions", "overrides"],
  },
  "permission.revokeFromMember": {
    route: `POST ${workspace}/members/{memberPublicId}/permissions/revoke`,
    failures: known,
    fields: ["success"],
    body: permission,
  },
  "role.grant": {
    route: `POST ${workspace}/roles/{rolePublicId}/permissions/grant`,
    failures: known,
    fields: ["success"],
    body: permission,
  },
  "webhook.delete": {
    route: `DELETE ${workspace}/webhooks/{webhookPublicId}`,
    failures: found,
    fields: ["success"],
  },
  "webhook.test": {
    route: `POST ${workspace}/webhooks/{webhookPublicId}/test`,
    failures: known,
    fields: ["success", "statusCode", "error"],
  },
  "list.create": {
    route: "POST /lists",
    failures: known,
    fields: ["publicId", "name"],
    body: { properties: { name: text, boardPublicId: text }, required: ["name", "boardPublicId"] },
  },
  "card.update": {
    route: "PUT /cards/{cardPublicId}",
    failures: found,
    fields: ["publicId", "title", "description", "dueDate"],
    body: {
      properties: {
        title: text,
        description: {},
        index: { type: "integer" },
        listPublicId: text,
        dueDate: { format: "date-time" },
      },
    },
  },
  "card.toggleLabel": {
    route: "PUT /cards/{cardPublicId}/labels/{labelPublicId}",
    failures: found,
    fields: ["newLabel"],
  },
  "label.update": {
    route: "PUT /labels/{labelPublicId}",
    failures: found,
    fields: ["publicId", "name", "colourCode"],
    body: {
      properties: {
        name: { ...text, minLength: 1, maxLength: 36 },
        colourCode: { ...text, minLength: 7, maxLength: 7 },
      },
      required: ["name", "colourCode"],
    },
  },
  "checklist.deleteItem": {
    route: "DELETE /checklists/items/{checklistItemPublicId}",
    failures: found,
    fields: ["success"],
  },
  "integration.authorize": {
    route: "GET /integration/authorize",
    failures: found,
    fields: ["url"],
  },
  "integration.githubProjects": {
    route: "GET /integrations/github/projects",
    failures: usual,
    isArray: true,
    fields: ["id", "name"],
  },
  "import.trelloBoards": {
    route: "GET /imports/trello/boards",
    failures: usual,
    isArray: true,
    fields: ["id", "name"],
    query: {
      apiKey: { ...text, minLength: 32, maxLength: 32 },
      token: { ...text, minLength: 76, maxLength: 76 },
    },
  },
};
