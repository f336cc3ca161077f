import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { SendLink } from "~/account/send-link";
import { act } from "~/lib/api.server";
import { again, typed } from "~/lib/form.server";

export { keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction = () => [{ title: "Forgot your password · Aisle" }];

export const loader = ({ context }: LoaderFunctionArgs) => ({ hasLocalMail: context.localMail !== undefined });

export async function action(args: ActionFunctionArgs) {
  const { email, isAgain } = await typed(args.request, "email", "isAgain");
  const outcome = await act(args, (api) => api.account.requestReset({ email }));
  return outcome.done ? { sentTo: email, isAgain: isAgain !== "" } : again(outcome, { email });
}

export default function Forgot() {
  return (
    <SendLink
      {...useLoaderData<typeof loader>()}
      button="Send the link"
      description="We will email you a link to choose a new one. Until then, the old one keeps working."
      footer={
        <>
          Remembered it? <Link to="/login">Log in</Link>
        </>
      }
      page="/forgot"
      sent={(email) => (
        <>If {email} has an account, a link to choose a new password is on its way. It works for 1 hour.</>
      )}
      title="Forgot your password?"
    />
  );
}
