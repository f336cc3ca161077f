// What the merchant tells shoppers of a store: one form, all of it optional.
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { useAnsweredForm } from "~/lib/answered-form";
import { act, load } from "~/lib/api.server";
import { again, typed } from "~/lib/form.server";
import { useDrawn, useTyping } from "~/lib/typing";
import { DetailFields, detailFields } from "~/merchant/detail-fields";
import { doneAt, notes } from "~/merchant/notes";
import { useStore } from "~/merchant/store";
import { storeTitle } from "~/merchant/store-title";
import { AskBeforeLeaving } from "~/ui/ask-before-leaving";
import { DoneNote } from "~/ui/done-note";
import { FormProblem } from "~/ui/form-problem";
import { Panel } from "~/ui/panel";
import { ShownVersion } from "~/ui/shown-version";
import { SubmitButton } from "~/ui/submit-button";

/** After a refusal too: somebody else may have changed them. */
export { afterAnyAnswer as shouldRevalidate, keepPage as clientAction } from "~/lib/keep-page";

export const meta = storeTitle("Details");

export const loader = (args: LoaderFunctionArgs) =>
  load(args, (api) => api.merchant.details({ store: args.params.slug! }));

export async function action(args: ActionFunctionArgs) {
  const form = await typed(args.request, "shown", ...detailFields);
  const outcome = await act(args, (api) => api.merchant.saveDetails({ store: args.params.slug!, ...form }));
  return outcome.done ? redirect(doneAt(args.request, "saved")) : again(outcome, form);
}

export default function Details() {
  const saved = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [currency = ""] = useStore().currencies;
  const form = useAnsweredForm(answer);
  const errors = answer?.errors;
  const isLate = errors?.code === "conflict" && !errors.isElsewhere;
  const typing = useTyping(form);
  const { key, values, version } = useDrawn(typing, { looks: saved.version, ...saved });
  return (
    <>
      {!answer && <DoneNote notes={notes} />}
      <Panel
        description="What agents tell shoppers about the store, from their next request. All of it is optional: what you leave empty, they are not told."
        flush
        title="Details"
      >
        {/* A new form for each version: it shows what was made of what was typed, or what somebody else changed meanwhile. */}
        <Form key={key} method="post" preventScrollReset ref={form}>
          {errors && Object.keys(errors.fields).length === 0 && (
            <div className="border-line border-b p-4 md:p-6">
              <FormProblem errors={errors} />
            </div>
          )}
          <ShownVersion errors={errors} name="shown" newest={version} posted={answer?.kept.shown} />
          <DetailFields
            currency={currency}
            errors={errors}
            saved={isLate ? saved.values : undefined}
            values={answer?.kept ?? values}
          />
          <div className="flex flex-wrap gap-2 border-line border-t bg-sunken px-4 py-3 md:px-6">
            <SubmitButton>Save details</SubmitButton>
          </div>
        </Form>
        <AskBeforeLeaving typing={typing} />
      </Panel>
    </>
  );
}
