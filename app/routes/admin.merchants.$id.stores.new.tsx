// A new store of a merchant.
import { type ActionFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useParams } from "@remix-run/react";
import { noted } from "~/desk/notes";
import { StoreFields, storeFields, storeInput } from "~/desk/store-fields";
import { useAnsweredForm } from "~/lib/answered-form";
import { act } from "~/lib/api.server";
import { again, typed } from "~/lib/form.server";
import { useTyping } from "~/lib/typing";
import { AskBeforeLeaving } from "~/ui/ask-before-leaving";
import { ButtonLink } from "~/ui/button";
import { CheckboxField } from "~/ui/checkbox-field";
import { FormProblem } from "~/ui/form-problem";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { SubmitButton } from "~/ui/submit-button";
import { TextField } from "~/ui/text-field";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "New store · Aisle" }];
export const handle = { crumb: "New store" };

export async function action(args: ActionFunctionArgs) {
  const merchantId = args.params.id!;
  const { slug, aiDiscovery, ...form } = await typed(args.request, "slug", "aiDiscovery", ...storeFields);
  const outcome = await act(args, (api) =>
    api.merchants.createStore({ ...storeInput(form), merchantId, slug, aiDiscovery: aiDiscovery !== "" }),
  );
  return outcome.done
    ? redirect(noted(`/admin/merchants/${merchantId}`, "store-created"))
    : again(outcome, { ...form, slug, aiDiscovery });
}

export default function NewStore() {
  const answer = useActionData<typeof action>();
  const { id } = useParams();
  const form = useAnsweredForm(answer);
  const typing = useTyping(form);
  const { errors, kept } = answer ?? {};
  return (
    <>
      <PageHeader
        description="What agents are told about the store. Its catalogue, promotions, loyalty and policies come later, from the merchant."
        title="New store"
      />
      <div className="max-w-3xl">
        <Panel>
          <Form className="flex flex-col gap-6" method="post" ref={form}>
            <FormProblem errors={errors} />
            <StoreFields errors={errors} values={kept ?? {}}>
              <TextField
                autoCapitalize="none"
                autoComplete="off"
                defaultValue={kept?.slug}
                error={errors?.fields.slug}
                hint="Lower-case words joined by hyphens, such as tarn-and-timber. The command line uses it; it cannot be changed later."
                label="Slug"
                maxLength={63}
                mono
                name="slug"
                spellCheck={false}
              />
            </StoreFields>
            <CheckboxField
              defaultChecked={kept ? kept.aiDiscovery !== "" : true}
              hint="The merchant can change it at any time. While it is off, no agent can read the store."
              label="AI Discovery on from the start"
              name="aiDiscovery"
            />
            <div className="flex flex-wrap gap-2">
              <SubmitButton>Create store</SubmitButton>
              <ButtonLink to={`/admin/merchants/${id}`}>Cancel</ButtonLink>
            </div>
          </Form>
          <AskBeforeLeaving typing={typing} />
        </Panel>
      </div>
    </>
  );
}
