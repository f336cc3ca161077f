import type { ReactNode } from "react";
import { type Home, SiteHeader } from "~/ui/site-header";

/** The documentation's place on the public site. */
export const PublicDocs = ({ home, children }: { home: Home | null; children: ReactNode }) => (
  <div className="mx-auto flex min-h-dvh max-w-6xl flex-col px-4 md:px-8">
    <SiteHeader home={home} />
    <main className="py-8 md:py-12" id="content" tabIndex={-1}>
      {children}
    </main>
  </div>
);
