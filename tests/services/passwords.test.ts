import { Argon2id } from "oslo/password";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import * as accounts from "../../server/services/accounts";
import * as passwords from "../../server/services/passwords";
import { PASSWORD } from "../support/people";

/** Argon2 with something else in its place, for this test. */
function replaceHash(hash: Argon2id["hash"]) {
  const spy = vi.spyOn(Argon2id.prototype, "hash").mockImplementation(hash);
  onTestFinished(() => spy.mockRestore());
}

describe("a password", () => {
  const person = { name: "Ada Lovelace Byron", email: "ada@engines.example" };
  const refusal = (password: string) => accounts.SignUp.safeParse({ ...person, password }).error?.issues[0]?.message;

  it("has 10 to 256 characters, counted as people count them", () => {
    expect(refusal("nine char")).toBe("Use at least 10 characters.");
    expect(refusal("ten chars!")).toBeUndefined();
    expect(refusal("🦉".repeat(9))).toBe("Use at least 10 characters.");
    expect(refusal("🦉🐢🦊🐝🐙🦔🐳🦜🐌🦡")).toBeUndefined();
    expect(refusal("é".normalize("NFD").repeat(9))).toBe("Use at least 10 characters.");
    expect(refusal(`${"🦉🐢🦊🐝🐙🦔🐳🦜".repeat(31)}12345678`)).toBeUndefined();
    expect(refusal("🦉".repeat(257))).toBe("Use at most 256 characters.");
  });

  it("that was given and is longer than any is called that, not missing", () => {
    const told = (password: string) => passwords.GivenPassword.safeParse(password).error?.issues[0]?.message;
    expect(told("x".repeat(1025))).toBe("No password here has more than 256 characters.");
    expect(told("")).toBe("Enter your password.");
  });

  it("is not one of the 10,000 commonest, in any case", () => {
    for (const common of ["1234567890", "qwertyuiop", "Password123", "BASKETBALL"]) {
      expect(refusal(common)).toContain("too easy to guess");
    }
  });

  it("is not one character or a few again and again", () => {
    for (const repeated of ["1111111111", "aaaaaaaaaa", "1234512345", "xyXYxyXYxyx", "monkeymonkey", "🦉".repeat(256)])
      expect(refusal(repeated), repeated).toContain("too easy to guess");
    for (const fine of ["kw7#pakw7#pb", "owl owl tern"]) expect(refusal(fine), fine).toBeUndefined();
  });

  it("is not a run along the alphabet, the digits or the keyboard, also with a common password beside it", () => {
    const runs = ["0987654321", "abcdefghij", "9876543210", "!@#$%^&*()", "asdfghjkl;", "poiuytrewq", "qsdfghjklm"];
    const several = [
      "7890123456",
      "aaaaabbbbb",
      "1qaz2wsx3edc",
      "QWERTY654321",
      "123abc789xyz",
      "a".repeat(128) + "1".repeat(128),
    ];
    const beside = ["changeme123", "123robert321", "Robert2345", "!!!iloveyou", "12345678ab", "x1234567890"];
    for (const run of [...runs, ...several, ...beside]) expect(refusal(run), run).toContain("too easy to guess");
    for (const fine of ["heron, 12345", "robert-of-1234", "8264-9173-5520"])
      expect(refusal(fine), fine).toBeUndefined();
  });

  it("is not made of the words that are tried here first, whatever numbers and signs stand between", () => {
    for (const obvious of ["aisle-2026!", "Aisle Commerce", "admin_password_1", "MerchantConsole"]) {
      expect(refusal(obvious)).toContain("too easy to guess");
    }
    for (const fine of ["aisle of yew", "8264-9173-5520", "Ελλάδα-1234"]) expect(refusal(fine)).toBeUndefined();
  });

  it("is neither the person's name nor their address", () => {
    for (const own of [person.name, "ada lovelace byron", person.email, "ADA@engines.example"]) {
      expect(refusal(own)).toContain("other than your name");
    }
  });

  it("is the same however its accents were typed", async () => {
    const hashed = await passwords.hash("crème brûlée!".normalize("NFD"));
    expect(await passwords.verify(hashed, "crème brûlée!".normalize("NFC"))).toBe(true);
  });

  it("is hashed at most three at once", async () => {
    let [running, most] = [0, 0];
    const hash = Argon2id.prototype.hash;
    replaceHash(async function (this: Argon2id, password: string) {
      most = Math.max(most, ++running);
      return hash.call(this, password).finally(() => running--);
    });
    await Promise.all(Array.from({ length: 12 }, () => passwords.hash(PASSWORD)));
    expect(most).toBe(3);
  });

  it("is refused a turn, rather than the memory, when very many come at once", async () => {
    replaceHash(async () => "hash");
    const outcomes = await Promise.allSettled(Array.from({ length: 300 }, () => passwords.hash(PASSWORD)));
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused).toHaveLength(300 - 203);
    expect(refused[0]!.reason).toMatchObject({ code: "unavailable" });
  });
});
