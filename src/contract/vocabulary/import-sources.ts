/** The import sources. Sources of one family share ids: a Trello file has the ids of the API. */
export const sourceFamilies = {
  trello: "trello",
  trelloFile: "trello",
  github: "github",
  workspace: "workspace",
} as const;

/** The name of an import source. */
export type SourceName = keyof typeof sourceFamilies;

/** The actor name in the events of an import. */
export const importers: Record<SourceName, string> = {
  trello: "Import from Trello",
  trelloFile: "Import from Trello",
  github: "Import from GitHub",
  workspace: "Import of a workspace",
};
