import { describe, expect, it } from "vitest";
import { judgeDomains } from "../../server/services/domain-match";

describe("the domain rule", () => {
  it.each([
    ["ada@Shop.co.uk", "https://www.shop.co.uk/about", "match"],
    ["ada@mail.b\u00fccher.example", "https://xn--bcher-kva.example", "match"],
    ["ada@shop.co.uk", "https://other.co.uk", "different"],
    ["ada@a.github.io", "https://b.github.io", "different"],
    ["ada@gmail.com", "https://gmail.com", "free_mail"],
    ["ada@0-mail.com", "https://0-mail.com", "disposable"],
    ["ada@a.slack.com", "https://b.slack.com", "shared"],
    ["ada@a.onmicrosoft.com", "https://a.onmicrosoft.com", "shared"],
    ["ada@google.com", "https://sites.google.com/view/ada", "shared"],
    ["ada@slack.com", "https://finder.example", "shared"],
  ])("judges %s of %s: %s", (email, website, verdict) => {
    expect(judgeDomains(email, website).verdict).toBe(verdict);
  });
});
