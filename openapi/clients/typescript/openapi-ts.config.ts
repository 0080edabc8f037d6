export default {
  input: "openapi.json",
  output: { path: "src/generated", importFileExtension: ".js" },
  plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
};
