// Two-factor authentication: set up with an authenticator app, looked at, renewed, turned off. Recovery codes are in one
// action's answer, once.
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { expectShown } from "~/account/expect-shown.server";
import { noted } from "~/account/notes";
import { qrOf } from "~/account/qr.server";
import { RecoveryCodes } from "~/account/recovery-codes";
import { Off, On, SetUp } from "~/account/second-factor-panels";
import { act, load } from "~/lib/api.server";
import { again, noIntent, typed } from "~/lib/form.server";

// A first code that came too late leads back to where it is begun.
export { afterAnyAnswer as shouldRevalidate, keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Two-factor authentication · Aisle" }];
export const handle = { crumb: "Two-factor authentication" };

const HERE = "/account/two-factor";
export type About = "begin" | "enable" | "renew" | "disable";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [{ setup, ...factor }, account] = await Promise.all([api.account.secondFactor(), api.account.me()]);
    return {
      ...factor,
      setup: setup && { secret: setup.secret.match(/.{1,4}/g)!.join(" "), qr: qrOf(setup.uri) },
      email: account!.email,
      isRequired: new URL(args.request.url).searchParams.has("required"),
    };
  });

/** Several forms: `about` says which. */
export async function action(args: ActionFunctionArgs) {
  const fields = ["accountId", "about", "currentPassword", "code"] as const;
  const { accountId, about, currentPassword, code } = await typed(args.request, ...fields);
  const kept = { accountId, about };
  type Api = Parameters<Parameters<typeof act>[1]>[0];
  const own = <Done,>(work: (api: Api) => Promise<Done>) =>
    act(args, async (api) => {
      await expectShown(api, accountId);
      return work(api);
    });
  switch (about as About) {
    case "begin": {
      const outcome = await own((api) => api.account.beginSecondFactor({ currentPassword }));
      return outcome.done ? redirect(HERE) : again(outcome, kept);
    }
    case "enable": {
      const outcome = await own((api) => api.account.enableSecondFactor({ code }));
      return outcome.done ? { isShownOnce: true, about, codes: outcome.value.recoveryCodes } : again(outcome, kept);
    }
    case "renew": {
      const outcome = await own((api) => api.account.renewRecoveryCodes({ currentPassword, code }));
      return outcome.done ? { isShownOnce: true, about, codes: outcome.value.recoveryCodes } : again(outcome, kept);
    }
    case "disable": {
      const outcome = await own((api) => api.account.disableSecondFactor({ currentPassword, code }));
      return outcome.done ? redirect(noted(HERE, "second-factor-off")) : again(outcome, kept);
    }
    default:
      throw noIntent();
  }
}

export default function TwoFactor() {
  const { enabledAt, setup } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  if (answer && "codes" in answer) return <RecoveryCodes codes={answer.codes} isFirst={answer.about === "enable"} />;
  if (enabledAt) return <On />;
  return setup ? <SetUp /> : <Off />;
}
