// Shows the interface's OpenAPI document. Everything comes from this server: nothing is asked of any other.
const base = document.body.dataset.base;

// The back office wants a token with every change; the page fetches one where none was entered.
async function withCsrfToken(request) {
  const changes = !["GET", "HEAD", "OPTIONS"].includes((request.method || "GET").toUpperCase());
  const given = Object.keys(request.headers || {}).some((name) => name.toLowerCase() === "x-csrf-token");
  if (base.endsWith("/admin") && changes && !given) {
    const answer = await fetch(base + "/updateCsrfToken", { credentials: "same-origin" });
    request.headers = { ...request.headers, "X-CSRF-Token": (await answer.json()).data.csrf_token };
  }
  return request;
}

// The field above finds operations by their path, name and purpose, and whole sections by their name.
const findOperations = () => ({
  fn: {
    opsFilter: (sections, phrase) => {
      const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
      const has = (text) => words.every((word) => text.toLowerCase().includes(word));
      const fits = (one) => {
        const operation = one.get("operation");
        const texts = [one.get("method"), one.get("path"), operation.get("operationId"), operation.get("summary")];
        return has(texts.join(" "));
      };
      const narrowed = (section, name) => (has(name) ? section : section.update("operations", (all) => all.filter(fits)));
      return sections.map(narrowed).filter((section) => section.get("operations").size > 0);
    },
  },
});

SwaggerUIBundle({
  url: base + "/openapi.json",
  dom_id: "#page",
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: "none",
  filter: true,
  plugins: [findOperations],
  requestInterceptor: withCsrfToken,
  tagsSorter: "alpha",
  validatorUrl: null,
});
