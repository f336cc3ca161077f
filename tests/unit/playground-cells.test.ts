import { expect, it } from "vitest";
import { inCell } from "../../app/playground/shapes";

it("stock at several places is read by place in the Playground, not as JSON", () => {
  const locations = [
    { name: "Galway warehouse", location_id: "galway", pickup: false, quantity: 59 },
    { name: "Dublin", location_id: "dublin", pickup: true, quantity: 0 },
  ];
  expect(inCell(locations)).toBe("Galway warehouse: 59, Dublin: 0");
});
