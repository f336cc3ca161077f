// The theme is a cookie that the server reads, so the first byte of a page is already in the right colours.
import { useFetchers, useRouteLoaderData } from "@remix-run/react";

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

/** The theme on show: the one just chosen, while its request is on the way, else the server's. */
export function useTheme(): Theme {
  const data = useRouteLoaderData("root") as { theme?: Theme } | undefined;
  const chosen = useFetchers()
    .find((fetcher) => fetcher.formAction === "/theme")
    ?.formData?.get("theme");
  return isTheme(chosen) ? chosen : (data?.theme ?? "system");
}
