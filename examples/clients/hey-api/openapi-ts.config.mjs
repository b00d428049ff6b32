export default {
  input: "openapi.json",
  output: "board",
  plugins: ["@hey-api/client-fetch"],
};
