export default {
  input: "../../../openapi/openapi.json",
  output: "generated/hey-api",
  plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
};
