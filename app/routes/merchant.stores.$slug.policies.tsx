// A store's policies and FAQ: what agents answer shoppers' questions from.
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CircleHelp, Plus } from "lucide-react";
import { act, load } from "~/lib/api.server";
import { isOfSomething, keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { again, typed } from "~/lib/form.server";
import { doneAt, notes } from "~/merchant/notes";
import { PolicyDialog, policyTypes } from "~/merchant/policy-dialog";
import { storeTitle } from "~/merchant/store-title";
import { Badge } from "~/ui/badge";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { DialogLink } from "~/ui/dialog-link";
import { DoneNote } from "~/ui/done-note";
import { EmptyState } from "~/ui/empty-state";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";
import { Time } from "~/ui/time";

export { keepPage as clientAction } from "~/lib/keep-page";

export const meta = storeTitle("Policies");
export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, (api) => api.merchant.policies({ store: args.params.slug! }));

export async function action(args: ActionFunctionArgs) {
  const store = args.params.slug!;
  const fields = ["id", "shown", "question", "answer", "type", "url"] as const;
  const { intent, ...typedIn } = await typed(args.request, "intent", ...fields);
  const outcome = await act(args, (api) => {
    if (intent === "remove") return api.merchant.removePolicy({ store, id: typedIn.id, shown: typedIn.shown });
    type Input = Parameters<typeof api.merchant.savePolicy>[0];
    // Whatever was sent is checked by the procedure.
    return api.merchant.savePolicy({ store, ...typedIn } as Input);
  });
  return outcome.done
    ? redirect(doneAt(args.request, intent === "remove" ? "removed" : "saved"))
    : again(outcome, typedIn);
}

type Policy = Awaited<ReturnType<typeof loader>>[number];

export default function Policies() {
  const policies = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { dialog, id, closeTo } = useDialogParams();
  const policy = policies.find((one) => one.id === id);
  const isEditing = dialog === "policy" && isOfSomething(id, policy, answer);
  const isRemoving = dialog === "remove" && policy !== undefined;
  const add = (
    <DialogLink dialog="policy" icon={<Plus aria-hidden />} variant="primary">
      Add a policy
    </DialogLink>
  );
  return (
    <>
      {!answer && <DoneNote notes={notes} />}
      {!isEditing && !isRemoving && <Refusal errors={answer?.errors} />}
      <Panel
        actions={policies.length > 0 && add}
        description="Agents answer shoppers' questions from these and link to the page you give."
        flush
        title="Policies and FAQ"
      >
        {policies.length > 0 ? (
          <ul className="divide-y divide-line">
            {policies.map((one) => (
              <Entry key={one.id} of={one} />
            ))}
          </ul>
        ) : (
          <EmptyState action={add} icon={CircleHelp} title="No policy yet">
            Add what shoppers ask about: delivery, returns, payment, warranty. Agents then answer in your words.
          </EmptyState>
        )}
      </Panel>
      {isEditing && (
        <PolicyDialog closeTo={closeTo} errors={answer?.errors} id={id} key={id} kept={answer?.kept} of={policy} />
      )}
      {isRemoving && (
        <ConfirmDialog
          closeTo={closeTo}
          confirmLabel="Remove"
          errors={answer?.errors}
          title="Remove this policy?"
          values={{ intent: "remove", id: policy.id, shown: policy.version }}
        >
          <p>“{policy.question}” Agents will no longer answer from it.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const Entry = ({ of: { id, question, answer, type, updatedAt } }: { of: Policy }) => (
  <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-4 md:px-6">
    <div className="flex min-w-0 max-w-3xl flex-col gap-1">
      <h3 className="wrap-anywhere font-medium text-sm leading-6 [unicode-bidi:plaintext]">{question}</h3>
      <p
        className="wrap-anywhere line-clamp-6 whitespace-pre-line text-muted text-sm leading-6 [unicode-bidi:plaintext]"
        id={`answer-${id}`}
      >
        {answer}
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-2 text-[0.8125rem] text-muted">
        <Badge>{policyTypes[type]}</Badge>
        <span>
          Changed <Time at={updatedAt} />
        </span>
      </p>
    </div>
    <span className="flex gap-2">
      <DialogLink aria-describedby={`answer-${id}`} aria-label={`Edit: ${question}`} dialog="policy" of={id} size="sm">
        Edit
      </DialogLink>
      <DialogLink
        aria-describedby={`answer-${id}`}
        aria-label={`Remove: ${question}`}
        dialog="remove"
        of={id}
        size="sm"
      >
        Remove
      </DialogLink>
    </span>
  </li>
);
