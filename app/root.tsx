// The document around every page: theme from a cookie, fonts of our own, nonces, and what all have (skip link, progress, messages).
import interLatin from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Links, type Location, Meta, Outlet, Scripts, ScrollRestoration } from "@remix-run/react";
import type { ReactNode } from "react";
import { errorTitle } from "~/lib/error-title";
import { useHeldLinks } from "~/lib/held-links";
import { useNonce } from "~/lib/nonce";
import { useSamePageLinks } from "~/lib/same-page";
import { useServerRefusals } from "~/lib/server-refusals";
import { themeOf, useTheme } from "~/lib/theme";
import { PageAnnouncer } from "~/ui/page-announcer";
import { ProgressBar } from "~/ui/progress-bar";
import { ToastProvider } from "~/ui/toast";
import { Unanswered } from "~/ui/unanswered";
import "./tailwind.css";

export { BareError as ErrorBoundary } from "~/ui/frame-error";

export const links: LinksFunction = () => [
  { rel: "preload", as: "font", type: "font/woff2", href: interLatin, crossOrigin: "anonymous" },
  // For browsers that take no SVG, and for a phone's first screen, where an icon's corners must not be clear.
  { rel: "icon", href: "/icons/aisle-64.png", type: "image/png", sizes: "64x64" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
];

/** For pages without a title of their own, such as one that could not be shown. */
export const meta: MetaFunction = ({ error }) => [{ title: error ? errorTitle(error) : "Aisle" }];

export const loader = ({ request, context }: LoaderFunctionArgs) => ({
  theme: themeOf(request),
  requestId: context.requestId,
  support: context.support,
  baseUrl: context.baseUrl,
});

/** The loader's data holds for as long as the document is open. */
export const shouldRevalidate = () => false;

/**
 * By this key scroll positions are kept. All steps that the browser itself took to a place (`#…`) have the key "default": with one
 * of its own each, none is scrolled to where another was left, but to its place.
 */
const scrollKey = ({ key, hash }: Location) => (key === "default" && hash ? `${Math.random()}` : key);

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const theme = useTheme();
  useServerRefusals();
  useSamePageLinks();
  useHeldLinks();
  return (
    <html data-theme={theme === "system" ? undefined : theme} lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta content="width=device-width, initial-scale=1" name="viewport" />
        <meta content="light dark" name="color-scheme" />
        <Meta />
        <Links />
      </head>
      <body className="bg-canvas font-sans text-ink antialiased">
        <a
          className="fixed print:hidden top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent-fill px-4 py-2 font-medium text-accent-ink text-sm focus:translate-y-0"
          href="#content"
        >
          Skip to the content
        </a>
        <ToastProvider>{children}</ToastProvider>
        <PageAnnouncer />
        <ProgressBar />
        <Unanswered />
        <ScrollRestoration getKey={scrollKey} nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}
