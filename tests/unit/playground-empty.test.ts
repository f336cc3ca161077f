import { expect, it } from "vitest";
import { withoutEmpty } from "../../app/playground/tool-schema";

it("what was cleared in a form goes; an item of a list stays as empty as it is", () => {
  expect(withoutEmpty({ query: "tent", filters: { price: {} }, gtins: ["1", null], ids: [{}] })).toEqual({
    query: "tent",
    gtins: ["1", null],
    ids: [{}],
  });
});
