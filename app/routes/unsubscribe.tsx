// Where the link of a digest leads: looking changes nothing, the button ends it. Mail programs post here by themselves
// (RFC 8058), without a cookie or an Origin: the link's token says who is meant.
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { MailX } from "lucide-react";
import { tokenOf } from "~/account/token";
import { load, named } from "~/lib/api.server";
import { AuthCard } from "~/ui/auth-card";
import { ButtonLink } from "~/ui/button";
import { SubmitButton } from "~/ui/submit-button";

export { afterAnyAnswer as shouldRevalidate, keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction = () => [{ title: "Stop the digest · Aisle" }];

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const looked = await named(args, api.notifications.peekUnsubscribe({ token: tokenOf(args.request) }));
    return data(looked, { status: looked.found ? 200 : 404 });
  });

/** Whatever the body says: who posts to this address means to end it. */
export const action = (args: ActionFunctionArgs) =>
  load(args, async (api) => {
    await api.notifications.unsubscribe({ token: tokenOf(args.request) });
    return { ended: true };
  });

export default function Unsubscribe() {
  const { found, problem } = useLoaderData<typeof loader>();
  if (!found) {
    return (
      <AuthCard
        description={`${problem} You can also log in and stop the digest under Notifications.`}
        title="We do not recognise this link"
      >
        <ButtonLink className="w-full" to="/merchant/notifications" variant="primary">
          Open Notifications
        </ButtonLink>
      </AuthCard>
    );
  }
  const { merchant, isOff, subscribed, othersGetIt } = found;
  if (!subscribed) {
    return (
      <AuthCard
        description={`You no longer get the digest${merchant ? ` about ${merchant}` : ""}. Notifications still has what is new.`}
        footer={
          <>
            By mistake? <Link to="/login?to=%2Fmerchant%2Fnotifications">Log in</Link> and turn it on again.
          </>
        }
        title="The digest is stopped"
      >
        <span className="flex size-10 items-center justify-center rounded-lg bg-raised text-muted">
          <MailX aria-hidden className="size-5" />
        </span>
      </AuthCard>
    );
  }
  const rest = othersGetIt ? "your colleagues still get it" : "nobody is mailed; Notifications still has what is new";
  return (
    <AuthCard
      description={
        isOff
          ? `The digest about the stores of ${merchant} is off, so nobody is mailed. If you stop it, you get none once it is turned on again.`
          : `We email you what is new about the stores of ${merchant}. If you stop it, ${rest}.`
      }
      title="Stop the digest?"
    >
      <Form method="post">
        <SubmitButton className="w-full">Stop sending it to me</SubmitButton>
      </Form>
    </AuthCard>
  );
}
