// What patches/@remix-run+router keeps from one match to the next (decision 0064).
import { createRequire } from "node:module";
import type { AgnosticRouteObject } from "@remix-run/router";
import { describe, expect, it } from "vitest";

// As the server loads it: the patch is of this file.
const { matchPath, matchRoutes } = createRequire(import.meta.url)(
  "@remix-run/router",
) as typeof import("@remix-run/router");

describe("routes that are matched again", () => {
  const routes: AgnosticRouteObject[] = [
    {
      id: "frame",
      path: "",
      children: [
        { id: "any", path: "things/:name" },
        { id: "new", path: "things/new" },
        { id: "rest", path: "*" },
        { id: "start", index: true },
      ],
    },
  ];
  const found = (path: string) =>
    matchRoutes(routes, path)
      ?.map(({ route, params }) => `${route.id} ${JSON.stringify(params)}`)
      .at(-1);

  it("lead to the same, whatever was matched in between", () => {
    for (const _ of [1, 2]) {
      expect(found("/things/new")).toBe("new {}");
      expect(found("/things/tent")).toBe('any {"name":"tent"}');
      expect(found("/things/a%2Fb/")).toBe('any {"name":"a/b"}');
      expect(found("/elsewhere/at/all")).toBe('rest {"*":"elsewhere/at/all"}');
      expect(found("/")).toBe("start {}");
    }
  });

  it("are not those of another set with the same paths", () => {
    found("/things/new");
    const others: AgnosticRouteObject[] = [{ id: "other", path: "things/new" }];
    expect(matchRoutes(others, "/things/new")?.map(({ route }) => route.id)).toEqual(["other"]);
    expect(matchRoutes(others, "/things/tent")).toBeNull();
  });
});

it("a pattern is compiled once for whether it ends and for whether capitals count", () => {
  for (const _ of [1, 2]) {
    expect(matchPath("/a", "/a/b")).toBeNull();
    expect(matchPath({ path: "/a", end: false }, "/a/b")).toMatchObject({ pathname: "/a" });
    expect(matchPath("/a", "/A")).toMatchObject({ pathname: "/A" });
    expect(matchPath({ path: "/a", caseSensitive: true }, "/A")).toBeNull();
  }
});
