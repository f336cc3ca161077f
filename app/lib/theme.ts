// The theme is a cookie that the server reads, so the first byte of a page is already in the right colours.
import { useRouteLoaderData } from "@remix-run/react";
import { useSyncExternalStore } from "react";
import { tellUnanswered } from "./keep-page";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const COOKIE = "aisle-theme";
const YEAR_S = 31_536_000;

export const isTheme = (value: unknown): value is Theme => themes.includes(value as Theme);

/** The theme that a request asks for; `system` without a cookie or with a mistaken one. */
export function themeOf(request: Request): Theme {
  const found = /(?:^|;\s*)aisle-theme=([a-z]+)/.exec(request.headers.get("cookie") ?? "")?.[1];
  return isTheme(found) ? found : "system";
}

/** A Set-Cookie value that keeps the theme for a year. */
export function themeCookie(theme: Theme, isHttps: boolean): string {
  return `${COOKIE}=${theme}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax; HttpOnly${isHttps ? "; Secure" : ""}`;
}

/** Chosen since the document came, and the last of them that the server keeps; in the browser alone. */
let chosen: Theme | undefined;
let kept: Theme | undefined;
/** The choice that is on its way: what it answers once another was made must not count. */
let sending: AbortController | undefined;
const watching = new Set<() => void>();

function show(theme: Theme | undefined): void {
  chosen = theme;
  for (const told of watching) told();
}

/** Shows a theme at once, and has the server keep it. Where that fails the one it keeps is back, and why is said; nothing else on the page changes. */
export async function chooseTheme(theme: Theme): Promise<void> {
  sending?.abort();
  sending = new AbortController();
  const { signal } = sending;
  show(theme);
  try {
    const { ok, status } = await fetch("/theme", { method: "POST", body: new URLSearchParams({ theme }), signal });
    if (!ok) throw new Error(`The theme was not kept: ${status}.`);
    kept = theme;
  } catch (error) {
    if (signal.aborted) return;
    show(kept);
    tellUnanswered(error);
  }
}

const watch = (told: () => void) => {
  watching.add(told);
  return () => watching.delete(told);
};

/** The theme on show: the one just chosen, else the one that the document came with. */
export function useTheme(): Theme {
  const data = useRouteLoaderData("root") as { theme?: Theme } | undefined;
  const own = useSyncExternalStore(
    watch,
    () => chosen,
    () => undefined,
  );
  return own ?? data?.theme ?? "system";
}
