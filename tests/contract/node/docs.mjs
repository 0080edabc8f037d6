// Opens the documentation page in a real browser and creates a game with its try-it-out.
// Arguments: where the service is, and where the browser is.

import { chromium } from "playwright-core";

const [service, executablePath] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const complaints = [];
try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(service) && !request.url().startsWith("data:")) {
      complaints.push(`request elsewhere: ${request.url()}`);
    }
  });
  await page.goto(`${service}/docs`);
  const operation = page.locator("#operations-games-createGame");
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: "Try it out" }).click();
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await operation.getByRole("button", { name: "Execute" }).click();
  const response = await answered;
  await operation.locator(".live-responses-table .response-col_status", { hasText: "201" }).waitFor();
  const game = await response.json();
  console.log(`${response.status()} ${game.id} ${game.variant}`);
} finally {
  await browser.close();
}
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length === 0 ? 0 : 1;
