// What people type for a day becomes the spans that agents are told, or is refused: no time is guessed.
import { describe, expect, it } from "vitest";
import { hoursOf, TypedHours } from "../../server/services/opening-hours";

const read = (text: string) => {
  const { success, data, error } = TypedHours.safeParse(text);
  return success ? data.map(({ opens, closes }) => `${opens} ${closes}`).join(", ") : error.issues[0]!.message;
};

describe("the hours of a day", () => {
  it.each([
    ["09:00–18:00", "09:00 18:00"],
    ["9-18", "09:00 18:00"],
    ["9:00 - 18:00", "09:00 18:00"],
    ["09.00–18.00", "09:00 18:00"],
    ["9h30 – 18h", "09:30 18:00"],
    ["0900-1800", "09:00 18:00"],
    ["9 Uhr to 18 Uhr", "09:00 18:00"],
    ["9am-5:30 p.m.", "09:00 17:30"],
    ["12pm – 12am", "12:00 00:00"],
    // Nobody opens so at five in the afternoon.
    ["05:00–10:00", "05:00 10:00"],
    ["5am–10am", "05:00 10:00"],
    ["5–10am", "05:00 10:00"],
    ["5-14", "05:00 14:00"],
    ["6-12:30", "06:00 12:30"],
    ["6-14", "06:00 14:00"],
    ["06:00–10:00", "06:00 10:00"],
    ["6am-10am", "06:00 10:00"],
    ["8-11:30, 14-18", "08:00 11:30, 14:00 18:00"],
    ["9pm-11pm", "21:00 23:00"],
    ["9am-11pm", "09:00 23:00"],
    ["09–11pm", "09:00 23:00"],
    ["9-9pm", "09:00 21:00"],
    ["9-5:30pm", "09:00 17:30"],
    ["12-10pm", "12:00 22:00"],
    ["8-12", "08:00 12:00"],
    ["09:00–12:30, 14:00–18:00", "09:00 12:30, 14:00 18:00"],
    ["9-12:30 and 14-18", "09:00 12:30, 14:00 18:00"],
    ["9–12; 12–18", "09:00 12:00, 12:00 18:00"],
    ["", ""],
    [" Closed ", ""],
    // As schema.org has it: closing before opening is on the next day.
    ["18:00–02:00", "18:00 02:00"],
    ["10:00–02:00", "10:00 02:00"],
    ["20:00–08:00", "20:00 08:00"],
    ["6pm-2am", "18:00 02:00"],
    ["18–24", "18:00 00:00"],
    ["18:00–00:00", "18:00 00:00"],
    ["12:00-14:00, 18:00-02:00", "12:00 14:00, 18:00 02:00"],
    ["00:00–24:00", "00:00 23:59"],
    ["0-24", "00:00 23:59"],
    ["24 hours", "00:00 23:59"],
    ["Open 24h", "00:00 23:59"],
  ])("%j are %j", (typed, told) => expect(read(typed)).toBe(told));

  it.each([
    ...[
      "all day",
      "9",
      "9–",
      "–18",
      "9–18–20",
      "25:00–26:00",
      "24:00–02:00",
      "09:60–18:00",
      "09:00–24:30",
      "13pm–14pm",
    ],
    ...["by appointment", "9–18, later", "09:00 18:00", "١٠–١٨"],
  ])("%j cannot be read, and that is said of it", (typed) => expect(read(typed)).toContain("cannot be read."));

  it.each([
    ...["18:00–09:00", "17-9", "12:00–12:00", "00:00–00:00"],
    // Five in the morning for who writes 24 hours, in the afternoon for who does not.
    ...["9-5", "9:00-5:00", "10–6", "1–5", "18–2"],
    ...["1–7", "2-8", "5-10", "5:30-9:30", "5–12:30", "1-7pm", "5–2am"],
    ...["6-10", "6–11:30", "7-11", "9-11pm", "9:00–11:00pm", "10-11:30pm", "6-10pm"],
  ])("%j close before they open, or may be meant otherwise, and that is said of them", (typed) =>
    expect(read(typed)).toContain("closes before it opens, or is unclear."),
  );

  it.each(["14:00–18:00, 09:00–12:00", "09:00–13:00, 12:00–18:00", "18:00–02:00, 03:00–04:00", "10:00–12:30, 1:30–5"])(
    "%j are in no order, and that is said of them",
    (typed) => expect(read(typed)).toContain("does not follow what is before it."),
  );

  it("are five spans at most", () => {
    const spans = Array.from({ length: 6 }, (_, i) => `${10 + i}:00–${10 + i}:30`);
    expect(read(spans.slice(1).join())).toContain("15:00 15:30");
    expect(read(spans.join())).toContain("at most 5");
    expect(read("9".repeat(201))).toBe("Use at most 200 characters.");
  });

  it.each(["09:00–12:30, 14:00–18:00", "18:00–02:00", "18:00–24:00", "00:00–24:00", "closed"])(
    "%s are shown as they can be typed again",
    (typed) => {
      const stored = TypedHours.parse(typed).map((span) => ({ day: "Monday", ...span }));
      const shown = hoursOf(stored, "monday");
      expect(shown).toBe(typed === "closed" ? "" : typed);
      expect(TypedHours.parse(shown).map((span) => ({ day: "Monday", ...span }))).toEqual(stored);
    },
  );
});
