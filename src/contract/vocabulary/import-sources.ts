/** Where an import may come from, and as whose things it knows what it finds there: a file of Trello's holds the same ones as its API. */
export const families = {
  trello: "trello",
  trelloFile: "trello",
  github: "github",
  workspace: "workspace",
} as const;

/** Where an import may come from. */
export type SourceName = keyof typeof families;

/** The name that an import's events give as their actor's. */
export const importers: Record<SourceName, string> = {
  trello: "Import from Trello",
  trelloFile: "Import from Trello",
  github: "Import from GitHub",
  workspace: "Import of a workspace",
};
