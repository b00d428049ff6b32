/** The layers of ARCHITECTURE.md, the lowest first. */
const layers = [
  "contract",
  "platform",
  "kernel",
  "domain",
  "outbound",
  "transfer",
  "cli",
  "api",
  "app",
  "client",
  "demo",
];
const into = (names) => `^src/(?:${names.join("|")})/`;

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...layers.slice(0, -1).map((layer, at) => ({
      name: `${layer}-imports-only-from-below`,
      severity: "error",
      from: { path: into([layer]) },
      to: { path: `${into(layers.slice(at + 1))}|^src/main|^test/` },
    })),
    { name: "no-cycle", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-cycle-of-folders",
      severity: "error",
      scope: "folder",
      from: {},
      to: { circular: true },
    },
    {
      name: "client-imports-types-of-contract-and-router",
      severity: "error",
      from: { path: "^src/client/" },
      to: { path: "^src/", pathNot: "^src/(?:client|contract)/|^src/app/router/index" },
    },
    {
      name: "client-imports-no-values-but-the-filter",
      severity: "error",
      from: { path: "^src/client/" },
      to: {
        path: "^src/(?:contract|app)/",
        // Its package has these files, which import no library.
        pathNot:
          "^src/contract/(?:filter/(?!schema|sort)|vocabulary/(?:between-cards|relation-kinds|whole-days))",
        dependencyTypesNot: ["type-only", "type-import"],
      },
    },
    {
      // It uses the package of the client, as an application does.
      name: "demo-imports-only-itself",
      severity: "error",
      from: { path: "^src/demo/" },
      to: { path: "^src/", pathNot: "^src/demo/" },
    },
    {
      name: "in-a-layer",
      severity: "error",
      from: { path: "^src/", pathNot: `${into(layers)}|^src/main\\.ts$` },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^src/platform/db/generated|^node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    detectJSDocImports: false,
  },
};
