/** Where tools are served: all of them, and only those that read. */
export const mcpPaths = { all: "/mcp", readOnly: "/mcp/readonly" } as const satisfies Record<
  string,
  string
>;
