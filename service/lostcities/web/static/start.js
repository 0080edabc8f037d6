"use strict";

/** Shows the tags without calls below the description: they are the introduction of the contract. */
const introduction = () => ({
  wrapComponents: {
    InfoContainer: (InfoContainer, { React, getComponent, specSelectors }) => (props) => {
      const Markdown = getComponent("Markdown", true);
      const tags = specSelectors.specJson().get("tags").filter((tag) => tag.get("x-traitTag"));
      const sections = tags.map((tag) =>
        React.createElement(
          "section",
          { key: tag.get("name"), className: "info" },
          React.createElement("h2", null, tag.get("name")),
          React.createElement(Markdown, { source: tag.get("description") }),
        ),
      );
      return React.createElement("div", null, React.createElement(InfoContainer, props), sections);
    },
  },
});

SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [introduction],
  validatorUrl: null,
});
