/** The reference page. Its URLs are relative, so that it works behind a path prefix. */
export const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Workspace Board Service: reference</title>
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <link rel="stylesheet" href="docs/page.css" />
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="reference"></div>
    <noscript>
      This page needs JavaScript. <a href="api/v1/openapi.json">The document</a> does not.
    </noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** Loads the document. Requests go to the origin of the page. */
export const script = `const root = new URL("api/v1", document.baseURI).href;
fetch(root + "/openapi.json")
  .then((response) => response.json())
  .then((spec) =>
    SwaggerUIBundle({
      spec: { ...spec, servers: [{ url: root }] },
      dom_id: "#reference",
      deepLinking: true,
      filter: true,
      docExpansion: "list",
      defaultModelsExpandDepth: 0,
      displayOperationId: true,
      displayRequestDuration: true,
      persistAuthorization: new URLSearchParams(location.search).has("remember"),
      showExtensions: true,
      validatorUrl: null,
    }),
  );
`;

/** The style of the page. */
export const style = `body { margin: 0; background: #fafaf8; }
.swagger-ui { font-family: system-ui, sans-serif; }
.swagger-ui .wrapper { max-width: 1080px; }
.swagger-ui .info { margin: 32px 0 16px; }
.swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .info p, .swagger-ui .info li,
.swagger-ui .opblock .opblock-summary-description, .swagger-ui .opblock-description-wrapper p {
  font-family: inherit; color: #24292f;
}
.swagger-ui .scheme-container { background: none; box-shadow: none; padding: 0 0 16px; margin: 0; }
.swagger-ui .opblock-tag { font-size: 18px; border-bottom: 1px solid #e2e2dc; }
.swagger-ui .opblock-tag small { color: #57606a; }
.swagger-ui .opblock { border-radius: 6px; box-shadow: none; margin: 0 0 8px; }
.swagger-ui .opblock .opblock-summary-method {
  border-radius: 4px; min-width: 68px; padding: 5px 0; font-size: 12px;
}
.swagger-ui .opblock .opblock-summary-operation-id { font-size: 13px; color: #57606a; }
.swagger-ui .opblock .opblock-summary-path { font-size: 14px; }
.swagger-ui .filter .operation-filter-input {
  border: 1px solid #d0d7de; border-radius: 6px; margin: 8px 0 16px;
}
`;
