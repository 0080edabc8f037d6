export default {
  lostcities: {
    input: "../../../openapi/openapi.json",
    output: { target: "generated/orval.ts", client: "fetch" },
  },
};
