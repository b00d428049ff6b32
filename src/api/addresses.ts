/** What a service offers at which address: in its startup message, and on its first page. */
export const addressesOf = (url: string, hasDemo: boolean): [name: string, address: string][] => [
  ["REST", `${url}/api/v1`],
  ["tRPC", `${url}/trpc`],
  ["Agents", `${url}/mcp`],
  ["Docs", `${url}/docs`],
  ["Operator", `${url}/operator`],
  ["Document", `${url}/api/v1/openapi.json`],
  ...(hasDemo ? [["Demo", `${url}/demo`] satisfies [string, string]] : []),
];
