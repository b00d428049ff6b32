const noContent = "default-src 'none'; frame-ancestors 'none'";

/** Headers that protect browsers. HSTS when the service is reached by https. */
export const protectiveHeaders = (baseUrl: string): Record<string, string> => ({
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": noContent,
  "Referrer-Policy": "no-referrer",
  ...(baseUrl.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
});
