import { cpSync, mkdirSync } from "node:fs";

// Copies what the reference page loads into `dist`, so that a production install needs no
// swagger-ui-dist, nor the install report of its dependency.

const from = new URL("../node_modules/swagger-ui-dist/", import.meta.url);
const to = new URL("../dist/swagger-ui/", import.meta.url);
const files = [
  "swagger-ui-bundle.js",
  "swagger-ui-bundle.js.LICENSE.txt",
  "swagger-ui.css",
  "LICENSE",
  "NOTICE",
];

mkdirSync(to, { recursive: true });
for (const file of files) cpSync(new URL(file, from), new URL(file, to));
