/** The names of the import sources. */
export const sourceNames = [
  "trello",
  "trelloFile",
  "github",
  "planka",
  "kan",
  "csv",
  "workspace",
] as const;

/** The name of an import source. */
export type SourceName = (typeof sourceNames)[number];

/** The namespaces of source ids. A Trello file has the ids of Trello's API. */
export const sourceFamilies = ["trello", "github", "planka", "kan", "csv", "workspace"] as const;

/** What is declared of a source: its namespace of ids, and the actor in the events of an import. */
type Source = {
  family: (typeof sourceFamilies)[number];
  actor: string;
  /** Set for a file: its text was counted when it arrived. */
  isFile: boolean;
};

/** The import sources. */
export const importSources: Readonly<Record<SourceName, Source>> = {
  trello: { family: "trello", actor: "Import from Trello", isFile: false },
  trelloFile: { family: "trello", actor: "Import from Trello", isFile: true },
  github: { family: "github", actor: "Import from GitHub", isFile: false },
  planka: { family: "planka", actor: "Import from Planka", isFile: false },
  kan: { family: "kan", actor: "Import from Kan", isFile: false },
  csv: { family: "csv", actor: "Import from CSV", isFile: true },
  workspace: { family: "workspace", actor: "Import of a workspace", isFile: true },
};
