/** The paths of the MCP endpoints: with all tools, and with only those that read. */
export const mcpPaths = { all: "/mcp", readOnly: "/mcp/readonly" } as const satisfies Record<
  string,
  string
>;
