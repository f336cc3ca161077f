// A store's profile, for operators to change.
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useParams } from "@remix-run/react";
import { noted, notes } from "~/desk/notes";
import { StoreFields, type StoreValues, storeFields, storeInput } from "~/desk/store-fields";
import { useAnsweredForm } from "~/lib/answered-form";
import { act, load } from "~/lib/api.server";
import { errorTitle } from "~/lib/error-title";
import { again, typed } from "~/lib/form.server";
import { useDrawn, useTyping } from "~/lib/typing";
import { AskBeforeLeaving } from "~/ui/ask-before-leaving";
import { Badge } from "~/ui/badge";
import { ButtonLink } from "~/ui/button";
import { DoneNote } from "~/ui/done-note";
import { FormProblem } from "~/ui/form-problem";
import { LongMono } from "~/ui/mono";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { ShownVersion } from "~/ui/shown-version";
import { SubmitButton } from "~/ui/submit-button";
import { TextLink } from "~/ui/text-link";

/** After a refusal too: somebody else may have changed it. */
export { afterAnyAnswer as shouldRevalidate, keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, (api) => api.merchants.getStore({ id: args.params.storeId!, merchantId: args.params.id! }));

type Store = Awaited<ReturnType<typeof loader>>;

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: data ? `${data.name} · Aisle` : errorTitle(error) },
];
export const handle = { crumb: "Store" };

export async function action(args: ActionFunctionArgs) {
  const { id: merchantId, storeId: id } = args.params as { id: string; storeId: string };
  const { updatedAt, ...form } = await typed(args.request, "updatedAt", ...storeFields);
  const outcome = await act(args, (api) => api.merchants.editStore({ ...storeInput(form), id, updatedAt }));
  return outcome.done
    ? redirect(noted(`/admin/merchants/${merchantId}/stores/${id}`, "store-saved"))
    : again(outcome, { ...form, updatedAt });
}

export default function EditStore() {
  const store = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { id: merchantId } = useParams();
  const form = useAnsweredForm(answer);
  const typing = useTyping(form);
  const { key, values, version } = useDrawn(typing, {
    looks: `${store.updatedAt} ${answer !== undefined}`,
    values: answer?.kept ?? valuesOf(store),
    version: new Date(store.updatedAt).toISOString(),
  });
  return (
    <>
      <PageHeader
        badge={
          <>
            {store.isDemo && <Badge tone="accent">Demo store</Badge>}
            <Badge tone={store.aiDiscovery ? "success" : "neutral"}>
              AI Discovery {store.aiDiscovery ? "on" : "off"}
            </Badge>
          </>
        }
        description={
          <>
            Agents see changes from their next call. Slug <LongMono>{store.slug}</LongMono>.{" "}
            <TextLink to={`/admin/audit?targetId=${store.id}`}>See its history</TextLink>
          </>
        }
        title={store.name}
      />
      {!answer && <DoneNote notes={notes} />}
      <div className="max-w-3xl">
        <Panel>
          {/* A new form for each version, and once a refusal was read: it shows what somebody else changed meanwhile. */}
          <Form className="flex flex-col gap-6" key={key} method="post" preventScrollReset ref={form}>
            <FormProblem errors={answer?.errors} />
            <ShownVersion errors={answer?.errors} name="updatedAt" newest={version} posted={answer?.kept.updatedAt} />
            <StoreFields errors={answer?.errors} values={values} />
            <div className="flex flex-wrap gap-2">
              <SubmitButton>Save changes</SubmitButton>
              <ButtonLink to={`/admin/merchants/${merchantId}`}>Cancel</ButtonLink>
            </div>
          </Form>
          <AskBeforeLeaving typing={typing} />
        </Panel>
      </div>
    </>
  );
}

const valuesOf = ({ contactPoint, languages, categories, ...store }: Store): StoreValues => ({
  name: store.name,
  legalName: store.legalName ?? "",
  url: store.url,
  logo: store.logo ?? "",
  description: store.description ?? "",
  country: store.country,
  currency: store.currency,
  languages: languages.join(", "),
  categories: categories.join(", "),
  contactEmail: contactPoint?.email ?? "",
  contactPhone: contactPoint?.phone ?? "",
  contactUrl: contactPoint?.url ?? "",
});
