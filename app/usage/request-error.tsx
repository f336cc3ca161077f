import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { ErrorState } from "~/ui/error-state";
import { RouteError } from "~/ui/route-error";

/** The error page of a request's page: one that is not there leads back to the log. */
export function RequestError({ log, why }: { log: string; why: string }) {
  const error = useRouteError();
  if (!isRouteErrorResponse(error) || error.status !== 404) return <RouteError />;
  return (
    <ErrorState home={{ to: log, label: "Requests" }} isFault={false} title="There is no such request">
      {why}
    </ErrorState>
  );
}
