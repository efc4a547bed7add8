// Shows the interface's OpenAPI document. Everything comes from this server: nothing is asked of any other.
const base = document.body.dataset.base;

// The back office wants a token with every change; the page fetches one where none was entered.
async function withCsrfToken(request) {
  const changes = !["GET", "HEAD", "OPTIONS"].includes((request.method || "GET").toUpperCase());
  const given = Object.keys(request.headers || {}).some((name) => name.toLowerCase() === "x-csrf-token");
  if (base === "/admin" && changes && !given) {
    const answer = await fetch(base + "/updateCsrfToken", { credentials: "same-origin" });
    request.headers = { ...request.headers, "X-CSRF-Token": (await answer.json()).data.csrf_token };
  }
  return request;
}

SwaggerUIBundle({
  url: base + "/openapi.json",
  dom_id: "#page",
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: "none",
  filter: true,
  requestInterceptor: withCsrfToken,
  tagsSorter: "alpha",
  validatorUrl: null,
});
