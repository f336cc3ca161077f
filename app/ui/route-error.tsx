import { Form, isRouteErrorResponse, useLocation, useRouteError, useRouteLoaderData } from "@remix-run/react";
import { withoutDialog } from "~/lib/dialog";
import { isUnreached } from "~/lib/keep-page";
import { useCrumbs } from "./breadcrumb";
import { Button } from "./button";
import { ErrorState } from "./error-state";
import { firstPageOf, ownPages, pageAbove } from "./nav";
import { SupportLink } from "./support";
import { TextLink } from "./text-link";

interface Refusal {
  message?: string;
  requestId?: string;
  /** Of what a form asked for. */
  ofForm?: true;
  /** Of a page of the console, for who works for no platform. */
  isForPlatforms?: true;
}

const titles: Record<number, string> = {
  400: "That request could not be read",
  403: "You do not have access to this page",
  404: "There is no such page",
  429: "Too many requests",
  503: "The service is busy",
};
const words: Record<number, string> = {
  403: "Someone with the right role can open it, or give you that role.",
  404: "The address may be mistyped, or what it led to is gone.",
  429: "Wait a minute, then try again.",
  503: "Try again in a moment.",
};

/** What our own server said of a failure, if it was reached. */
export const failureOf = (error: unknown): Refusal =>
  ((isRouteErrorResponse(error) && typeof error.data === "object" && error.data) || {}) as Refusal;

/** What to do about a failure of ours. @param requestId only where it can be read beside these words */
export const TellSupport = ({ requestId }: { requestId: string | undefined }) =>
  requestId ? (
    <>
      The failure was logged. Try again; if it happens again,{" "}
      <SupportLink letter={{ subject: `Request ${requestId}` }}>send us the request id</SupportLink>.
    </>
  ) : (
    <>
      Try again; if it happens again,{" "}
      <SupportLink letter={{ subject: "A page that fails" }}>tell us what you did</SupportLink>.
    </>
  );

const FOR_PLATFORMS = (
  <>
    It belongs to a platform, and this account works for none. For one of your own,{" "}
    <TextLink to="/apply">apply for access</TextLink>.
  </>
);

const LogOut = () => (
  <Form action="/logout" method="post">
    <Button type="submit">Log out to use another account</Button>
  </Form>
);

/** Where what an address names would be listed: of the pages above it, the nearest that is there. */
function useListAbove() {
  const { pathname } = useLocation();
  const page = pageAbove(pathname);
  const own = useCrumbs().findLast(({ to }) => pathname.startsWith(`${to}/`));
  return own && own.to.length > (page?.below ?? page?.to ?? "").length ? own : page;
}

/** The page that a form was on, without the dialog that it was in. */
function useFormPage(): string {
  const { pathname, search } = useLocation();
  const params = withoutDialog(new URLSearchParams(search));
  for (const name of ["index", "done"]) params.delete(name);
  return params.size > 0 ? `${pathname}?${params}` : pathname;
}

/**
 * The error page of any route: `export { RouteError as ErrorBoundary } from "~/ui/route-error"`.
 * @param list where what is missing would be listed, if no page above this one has it
 */
export function RouteError({ list }: { list?: { to: string; label: string } }) {
  const error = useRouteError();
  const { pathname, search, key } = useLocation();
  const ownList = useListAbove();
  const formPage = useFormPage();
  const root = useRouteLoaderData("root") as { requestId?: string } | undefined;
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const told = failureOf(error);
  // "There is no such store." is a better title than that there is no such page.
  const missing = status === 404 ? /^There is no such [^.]+(?=\.$)/.exec(told.message ?? "")?.[0] : undefined;
  // What a form is about was on its page a moment ago: that page says what is there now.
  const isGone = status === 404 && told.ofForm === true;
  // The pages of what is gone, or is not the person's any more, may be gone with it.
  const listAbove = isGone ? pageAbove(pathname) : ownList;
  // What an address asks for after its "?" came from a link that is old by now, or was mistyped: the page itself is there.
  const isAddress = status === 400 && search !== "";
  // Only the first page of a visit shares its request with the root loader.
  const requestId = told.requestId ?? (key === "default" && status !== 404 ? root?.requestId : undefined);
  if (isUnreached(error)) {
    return (
      <ErrorState
        home={firstPageOf(pathname)}
        isFault={false}
        retry={`${pathname}${search}`}
        title="The server could not be reached"
      >
        Check your connection, then try again.
      </ErrorState>
    );
  }
  return (
    <ErrorState
      action={status === 403 && <LogOut />}
      home={status === 403 ? ownPages : status === 404 ? (list ?? listAbove) : firstPageOf(pathname)}
      isFault={status >= 500}
      requestId={requestId}
      retry={
        isGone ? formPage : status === 404 || status === 403 ? undefined : isAddress ? pathname : `${pathname}${search}`
      }
      retryLabel={isGone ? "Load the page again" : isAddress ? "Open the page without it" : undefined}
      title={
        missing ?? (isAddress ? "The address could not be read" : titles[status]) ?? "Something went wrong on our side"
      }
    >
      {(isGone &&
        missing &&
        "Somebody may have removed it in the meantime. It may also be that your access to it has ended.") ||
        (isAddress && "The part after the “?” is mistyped, or comes from a list that has changed since.") ||
        (told.isForPlatforms && FOR_PLATFORMS) ||
        (status < 500 && !missing && told.message) ||
        (words[status] ?? <TellSupport requestId={requestId} />)}
    </ErrorState>
  );
}
