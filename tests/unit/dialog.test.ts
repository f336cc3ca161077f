// When a page with dialogs loads again: after what was sent, and not where a dialog only opens or closes.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

type Step = Parameters<typeof import("../../app/lib/dialog").keepDataForDialog>[0];

const at = (path: string) => new URL(path, "https://aisle.example");
const router = { state: { loaderData: {} } };
/** A page of its own, on which nothing has happened yet. */
let asks: (step: Partial<Step>) => boolean;
beforeEach(async () => {
  vi.stubGlobal("window", { __remixRouter: router });
  vi.resetModules();
  const { keepDataForDialog } = await import("../../app/lib/dialog");
  const rest = { currentParams: {}, nextParams: {}, defaultShouldRevalidate: true };
  asks = (step) => keepDataForDialog({ currentUrl: at("/keys"), nextUrl: at("/keys"), ...rest, ...step });
});
afterEach(() => vi.unstubAllGlobals());

const goes = (from: string, to: string) => asks({ currentUrl: at(from), nextUrl: at(to), actionStatus: undefined });
/** As Remix asks of a link with `prefetch`, of which nobody knows whether it will be followed. */
const pointsAt = (from: string, to: string) => asks({ currentUrl: at(from), nextUrl: at(to) });
const sends = (status: number) =>
  asks({
    currentUrl: at("/keys?dialog=revoke"),
    nextUrl: at("/keys?dialog=revoke"),
    formMethod: "POST",
    actionStatus: status,
  });
/** What the last load brought stands on the page. */
const loaded = () => {
  router.state.loaderData = {};
};

describe("a dialog", () => {
  it("opens and closes on what is there", () => {
    expect([goes("/keys", "/keys?dialog=revoke"), goes("/keys?dialog=revoke", "/keys")]).toEqual([false, false]);
    expect(goes("/keys", "/keys?show=all")).toBe(true);
  });

  it("loads in whoever was too late in it, until something goes through", () => {
    expect(sends(409)).toBe(true);
    loaded();
    expect(goes("/keys?dialog=revoke", "/keys")).toBe(true);
    loaded();
    expect(sends(200)).toBe(true);
    loaded();
    expect(goes("/keys?dialog=revoke", "/keys")).toBe(false);
  });

  it("loads where a load of the page has not come yet, which this step ends", () => {
    expect(goes("/keys", "/keys?show=all")).toBe(true);
    expect(goes("/keys", "/keys?dialog=revoke")).toBe(true);
    loaded();
    expect(goes("/keys?dialog=revoke", "/keys")).toBe(false);
  });

  it("loads nothing because a link was pointed at, nor less", () => {
    expect(pointsAt("/keys", "/usage")).toBe(true);
    expect(goes("/keys", "/keys?dialog=revoke")).toBe(false);
    expect(sends(409)).toBe(true);
    loaded();
    expect(pointsAt("/keys", "/usage")).toBe(true);
    expect(goes("/keys?dialog=revoke", "/keys")).toBe(true);
  });
});
