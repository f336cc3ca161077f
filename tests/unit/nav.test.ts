import { expect, it } from "vitest";
import { isAt, sectionsOf } from "../../app/ui/nav";

const items = sectionsOf({ platform: true, merchant: true, operator: true }).flatMap((section) => section.items);

it.each([
  ["/console", "Overview"],
  ["/console/keys", "Keys"],
  ["/console/docs/get_product", "Docs"],
  ["/merchant", "Stores"],
  ["/merchant/stores/alder/products", "Stores"],
  ["/merchant/agents/trail-guide", "AI Agents"],
  ["/admin", "Review"],
  ["/admin/review/trail-guide", "Review"],
  ["/admin/consumers/trail-guide/keys", "Consumers"],
])("at %s the sidebar marks %s and nothing else", (pathname, label) => {
  expect(items.filter((item) => isAt(pathname, item)).map((item) => item.label)).toEqual([label]);
});
