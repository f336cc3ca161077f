// Figures as a person reads them.
import { expect, it } from "vitest";
import { percentOf } from "../../app/lib/numbers";

it("a share is told to a tenth of a percent, whole ones too, and what is there is never none, what is not all never all", () => {
  expect([percentOf(312, 10_000), percentOf(1, 1), percentOf(0, 7), percentOf(0, 0)]).toEqual([
    "3.1%",
    "100.0%",
    "0.0%",
    "–",
  ]);
  expect([percentOf(1, 22_996), percentOf(1, 2_000), percentOf(1, 1_999)]).toEqual(["< 0.1%", "0.1%", "0.1%"]);
  expect([percentOf(22_995, 22_996), percentOf(9_995, 10_000), percentOf(9_994, 10_000)]).toEqual([
    "> 99.9%",
    "> 99.9%",
    "99.9%",
  ]);
});
