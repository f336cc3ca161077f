// The form of a loyalty programme: where its rules stand once positions were typed.
import { describe, expect, it } from "vitest";
import { programFields } from "../../app/merchant/program-fields";

describe("rules of a loyalty programme", () => {
  /** What each says, moved to which position. */
  const moved = (...rules: [says: string, to: string][]) =>
    programFields({ "rules.basis": rules.map(([says]) => says), "rules.order": rules.map(([, to]) => to) })
      .rules.map(({ basis }) => basis)
      .join("");

  it.each<[what: string, rules: [string, string][], order: string]>([
    [
      "where none is moved",
      [
        ["A", "1"],
        ["B", "2"],
        ["C", "3"],
      ],
      "ABC",
    ],
    [
      "down to another's position",
      [
        ["A", "2"],
        ["B", "2"],
        ["C", "3"],
      ],
      "BAC",
    ],
    [
      "down to the last position",
      [
        ["A", "3"],
        ["B", "2"],
        ["C", "3"],
      ],
      "BCA",
    ],
    [
      "up to another's position",
      [
        ["A", "1"],
        ["B", "2"],
        ["C", "1"],
      ],
      "CAB",
    ],
    [
      "with their positions exchanged",
      [
        ["A", "3"],
        ["B", "2"],
        ["C", "1"],
      ],
      "CBA",
    ],
    [
      "without a position that can be read",
      [
        ["A", ""],
        ["B", "first"],
        ["C", "1"],
      ],
      "CAB",
    ],
    [
      "between rows that were emptied",
      [
        ["", "1"],
        ["B", "2"],
        ["", "3"],
        ["D", "2"],
      ],
      "DB",
    ],
  ])("stand in order: %s", (_, rules, order) => {
    expect(moved(...rules)).toBe(order);
  });
});
