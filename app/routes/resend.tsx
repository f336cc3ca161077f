import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { SendLink } from "~/account/send-link";
import { act } from "~/lib/api.server";
import { again, typed } from "~/lib/form.server";

export { keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction = () => [{ title: "Send the link again · Aisle" }];

export const loader = ({ context }: LoaderFunctionArgs) => ({ hasLocalMail: context.localMail !== undefined });

export async function action(args: ActionFunctionArgs) {
  const { email, isAgain } = await typed(args.request, "email", "isAgain");
  const outcome = await act(args, (api) => api.account.resendVerification({ email }));
  return outcome.done ? { sentTo: email, isAgain: isAgain !== "" } : again(outcome, { email });
}

export default function Resend() {
  return (
    <SendLink
      {...useLoaderData<typeof loader>()}
      button="Send the link"
      description="The link that confirms your address works once, for 24 hours. Get a new one here."
      footer={
        <>
          Confirmed already? <Link to="/login">Log in</Link>
        </>
      }
      page="/resend"
      sent={(email) => (
        <>If an account is waiting for {email} to be confirmed, a new link is on its way. It works for 24 hours.</>
      )}
      title="Send the link again"
    />
  );
}
