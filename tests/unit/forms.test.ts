// What holds for every page with a form, as its source says.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const routes = new URL("../../app/routes/", import.meta.url);
const pages = readdirSync(routes)
  .map((name) => ({ name, source: readFileSync(new URL(name, routes), "utf8") }))
  .filter(
    ({ source }) => /^export (async )?(function|const) action\b/m.test(source) && /^export default /m.test(source),
  );

it("every page with a form stays as it stands when no answer comes", () => {
  expect(pages.length).toBeGreaterThan(40);
  for (const { name, source } of pages) {
    expect(source, name).toMatch(/^export \{.*\bkeepPage as clientAction\b.*\} from "~\/lib\/keep-page";$/m);
    // Loading anew would fail as the form did, and take the page away.
    expect(source, name).not.toContain("shouldRevalidate = () => true");
  }
});
