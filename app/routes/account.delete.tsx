import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CodeField } from "~/account/code-field";
import { CurrentPassword } from "~/account/current-password";
import { DeletionEffects } from "~/account/deletion-effects";
import { expectShown } from "~/account/expect-shown.server";
import { leave } from "~/account/leave.server";
import { PasswordOf } from "~/account/new-password";
import { noted } from "~/account/notes";
import { ForThisAccount } from "~/account/this-account";
import { act, type FormErrors, load } from "~/lib/api.server";
import { keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { again, typed } from "~/lib/form.server";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { DialogLink } from "~/ui/dialog-link";
import { Panel } from "~/ui/panel";
import { ShownVersion } from "~/ui/shown-version";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Delete account · Aisle" }];
export const handle = { crumb: "Delete account" };
export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [{ email }, effects, { enabledAt }] = await Promise.all([
      api.account.profile(),
      api.account.deletionEffects(),
      api.account.secondFactor(),
    ]);
    return { email, effects, takesCode: enabledAt !== null };
  });

export async function action(args: ActionFunctionArgs) {
  const fields = ["accountId", "confirm", "currentPassword", "code", "shown"] as const;
  const { accountId, confirm, currentPassword, code, shown } = await typed(args.request, ...fields);
  const kept = { accountId, shown };
  const own = await act(args, (api) => expectShown(api, accountId));
  if (!own.done) return again(own, kept);
  const [{ email }, { enabledAt }] = await load(args, (api) =>
    Promise.all([api.account.profile(), api.account.secondFactor()]),
  );
  if (confirm.trim().toLowerCase() !== email) {
    const wrong = {
      ...(currentPassword === "" && { currentPassword: "Enter your password." }),
      ...(enabledAt && code === "" && { code: "Enter the code." }),
      confirm: `Type ${email} to confirm.`,
    };
    const { requestId } = args.context;
    const errors: FormErrors = { message: wrong.confirm, fields: wrong, code: "invalid_input", requestId };
    return data({ errors, kept }, { status: 400 });
  }
  const outcome = await act(args, (api) => api.account.delete({ currentPassword, shown, ...(code && { code }) }));
  return outcome.done ? leave(noted("/login", "deleted")) : again(outcome, kept);
}

export default function DeleteAccount() {
  const { email, effects, takesCode } = useLoaderData<typeof loader>();
  const { errors, kept } = useActionData<typeof action>() ?? {};
  const { dialog, closeTo } = useDialogParams();
  const wrong = errors?.fields ?? {};
  return (
    <>
      <Panel
        footer={
          <>
            <span>You will confirm with your password{takesCode && ", a code"} and your email address.</span>
            <DialogLink dialog="delete" variant="danger">
              Delete the account
            </DialogLink>
          </>
        }
        title="What happens when you delete your account"
      >
        <DeletionEffects effects={effects} />
      </Panel>
      {dialog === "delete" && (
        <ConfirmDialog
          anyCase
          closeTo={closeTo}
          confirmLabel="Delete the account"
          errors={Object.keys(wrong).length > 0 ? undefined : errors}
          fields={
            <>
              <ForThisAccount posted={kept?.accountId} />
              <ShownVersion errors={errors} name="shown" newest={effects.version} posted={kept?.shown} />
              <PasswordOf email={email} />
              <CurrentPassword errors={errors} />
              {(takesCode || wrong.code) && (
                <CodeField error={wrong.code} hint="From your app, or a recovery code." recovers />
              )}
            </>
          }
          refused={errors}
          title={`Delete the account of ${email}?`}
          typeName={email}
          values={{}}
        >
          <div className="pt-2">
            <DeletionEffects effects={effects} />
          </div>
        </ConfirmDialog>
      )}
    </>
  );
}
