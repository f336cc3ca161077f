import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { isUnreached } from "~/lib/keep-page";
import { BareHeader } from "./bare-header";
import { RouteError } from "./route-error";

/** An error page of its own, without any frame. */
export const BareError = () => (
  <>
    <BareHeader />
    <main className="py-8 md:py-20" id="content" tabIndex={-1}>
      <RouteError />
    </main>
  </>
);

/** What each frame was shown with last, by its route; in the browser alone. */
const shown = new Map<string, unknown>();

/** For a frame: keeps what it is shown with, for its error page. */
export function useKeptFrame(of: string, data: unknown): void {
  useEffect(() => {
    shown.set(of, data);
  }, [of, data]);
}

/** Does neither the frame's own data nor any page below it come, for the moment? */
const isAway = (error: unknown): boolean => isUnreached(error) || (isRouteErrorResponse(error) && error.status === 503);

/**
 * The error page of a frame. Where nothing reaches the server, or it is busy, the frame stays as it was shown last. What failed
 * otherwise stands alone.
 */
export function FrameError<Data extends object>({
  of,
  frame: Frame,
}: {
  of: string;
  frame: (props: Data & { children: ReactNode }) => ReactNode;
}) {
  const data = (isAway(useRouteError()) ? shown.get(of) : undefined) as Data | undefined;
  if (!data) return <BareError />;
  return (
    <Frame {...data}>
      <RouteError />
    </Frame>
  );
}
