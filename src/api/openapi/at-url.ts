/** A document with the URLs of a service. */
export const atUrl = <Document extends { info: object }>(document: Document, baseUrl: string) => ({
  ...document,
  info: {
    ...document.info,
    contact: { name: "The operator of this service", url: baseUrl },
  },
  externalDocs: { description: "Guides and reference", url: `${baseUrl}/docs` },
  servers: [{ url: `${baseUrl}/api/v1` }],
});
