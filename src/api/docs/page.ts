/** The scripts of the page. The first one loads the others. */
export const scripts = [
  "main.js",
  "elements.js",
  "operation.js",
  "samples.js",
  "schemas.js",
  "search.js",
  "own-ids.js",
  "try.js",
];

const preloads = scripts.map((name) => `<link rel="modulepreload" href="docs/${name}" />`);

/** The reference page. Its URLs are relative, so that it works behind a path prefix. */
export const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Workspace Board Service: guides and reference</title>
    <link rel="stylesheet" href="docs/page.css" />
    ${preloads.join("\n    ")}
    <link rel="icon" href="data:," />
  </head>
  <body>
    <header>
      <button type="button" id="menu" aria-expanded="false" aria-controls="sidebar">Menu</button>
      <strong>Workspace Board Service</strong>
    </header>
    <nav id="sidebar" aria-label="Guides and operations">
      <input id="search" type="search" placeholder="Search ( / )" aria-label="Search" />
      <div id="results" hidden></div>
      <div id="links"></div>
    </nav>
    <main id="content">
      <noscript>
        This page needs JavaScript. <a href="api/v1/openapi.json">The document</a> does not.
      </noscript>
    </main>
    <script type="module" src="docs/main.js"></script>
  </body>
</html>
`;
