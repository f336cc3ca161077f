// A store's promotions: made, changed, ended, removed.
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Plus, TicketPercent } from "lucide-react";
import { act, formValues, load, paged } from "~/lib/api.server";
import { isOfSomething, keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { formOf } from "~/lib/form.server";
import { listParams } from "~/lib/list-params.server";
import { doneAt, notes } from "~/merchant/notes";
import { benefitOf, type Promotion } from "~/merchant/promotion";
import { PromotionDialog, promotionFields } from "~/merchant/promotion-dialog";
import { storeTitle } from "~/merchant/store-title";
import { Badge } from "~/ui/badge";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { DialogLink } from "~/ui/dialog-link";
import { DoneNote } from "~/ui/done-note";
import { EmptyState } from "~/ui/empty-state";
import { LongMono } from "~/ui/mono";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";
import { type Column, Table } from "~/ui/table";
import { Time } from "~/ui/time";
import type { Tone } from "~/ui/tone";
import { BackAtStart, TurnPages } from "~/ui/turn-pages";

export { keepPage as clientAction } from "~/lib/keep-page";

export const meta = storeTitle("Promotions");
export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, (api) => {
    const { cursor } = listParams(args.request);
    const store = args.params.slug!;
    return paged(args, cursor, (at) => api.merchant.promotions({ store, cursor: at }));
  });

export async function action(args: ActionFunctionArgs) {
  const store = args.params.slug!;
  const values = formValues(await formOf(args.request));
  const promotionId = String(values.promotionId ?? "");
  const kept = promotionFields(values);
  const outcome = await act(args, (api) => {
    if (values.intent === "end") return api.merchant.endPromotion({ store, promotionId, shown: kept.shown });
    if (values.intent === "remove") return api.merchant.removePromotion({ store, promotionId, shown: kept.shown });
    type Input = Parameters<typeof api.merchant.savePromotion>[0];
    // Whatever was sent is checked by the procedure.
    return api.merchant.savePromotion({ store, existing: String(values.existing ?? ""), ...kept } as Input);
  });
  if (!outcome.done) return data({ errors: outcome.errors, kept }, outcome.response.init ?? undefined);
  const note = values.intent === "end" ? "ended" : values.intent === "remove" ? "removed" : "saved";
  return redirect(doneAt(args.request, note));
}

const stages: Record<Promotion["stage"], [label: string, tone: Tone]> = {
  active: ["Running", "success"],
  upcoming: ["Upcoming", "accent"],
  expired: ["Ended", "neutral"],
};

const DAY_MS = 86_400_000;

const columns: Column<Promotion>[] = [
  {
    header: "Promotion",
    cell: ({ title, promotionId }) => (
      <span className="flex min-w-0 flex-col">
        <span className="wrap-anywhere font-medium">{title}</span>
        <LongMono>{promotionId}</LongMono>
      </span>
    ),
  },
  { header: "Offer", cell: benefitOf },
  {
    header: "Code",
    cell: ({ code }) =>
      code ? (
        <span className="block min-w-28">
          <LongMono>{code}</LongMono>
        </span>
      ) : (
        <span className="whitespace-nowrap text-faint">None needed</span>
      ),
  },
  {
    header: "Runs",
    cell: ({ startsAt, endsAt }) => {
      const isDay = endsAt.getTime() - startsAt.getTime() >= 2 * DAY_MS;
      return (
        <span className="flex flex-wrap gap-x-1 cards:justify-end">
          <span>
            <Time at={startsAt} isDay={isDay} /> –
          </span>
          <Time at={endsAt} isDay={isDay} />
        </span>
      );
    },
  },
  {
    header: "State",
    cell: ({ stage }) => <Badge tone={stages[stage][1]}>{stages[stage][0]}</Badge>,
  },
  { header: "Actions", quiet: true, align: "right", cell: (promotion) => <Actions of={promotion} /> },
];

function Actions({ of: { promotionId, title, stage } }: { of: Promotion }) {
  return (
    <>
      <DialogLink aria-label={`Edit ${title}, ${promotionId}`} dialog="promotion" of={promotionId} size="sm">
        Edit
      </DialogLink>
      {stage === "active" ? (
        <DialogLink aria-label={`End ${title}, ${promotionId}`} dialog="end" of={promotionId} size="sm">
          End
        </DialogLink>
      ) : (
        <DialogLink aria-label={`Remove ${title}, ${promotionId}`} dialog="remove" of={promotionId} size="sm">
          Remove
        </DialogLink>
      )}
    </>
  );
}

export default function Promotions() {
  const { rows, previous, next, isAnew } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { dialog, id, closeTo } = useDialogParams();
  const promotion = rows.find((one) => one.promotionId === id);
  // Another person, or the clock, may have ended or removed it meanwhile.
  const isEditing = dialog === "promotion" && isOfSomething(id, promotion, answer);
  const isEnding = dialog === "end" && promotion?.stage === "active";
  const isRemoving = dialog === "remove" && promotion !== undefined;
  const isAsked = isEditing || isEnding || isRemoving;
  const add = (
    <DialogLink dialog="promotion" icon={<Plus aria-hidden />} variant="primary">
      Add a promotion
    </DialogLink>
  );
  const about = { closeTo, errors: answer?.errors };
  return (
    <>
      {!answer && <DoneNote notes={notes} />}
      {!isAsked && <Refusal errors={answer?.errors} />}
      {isAnew && <BackAtStart />}
      <Panel
        actions={rows.length > 0 && add}
        description="Agents tell shoppers about current and upcoming promotions. Times are UTC."
        flush
        footer={previous || next ? <TurnPages next={next} previous={previous} summary="Latest end first" /> : undefined}
        title="Promotions"
      >
        {rows.length > 0 ? (
          <Table caption="Promotions" columns={columns} rowKey={({ promotionId }) => promotionId} rows={rows} />
        ) : (
          <EmptyState action={add} icon={TicketPercent} title="No promotion yet">
            A percentage, an amount or free shipping, with or without a code: agents tell shoppers about it where it
            applies.
          </EmptyState>
        )}
      </Panel>
      {isEditing && (
        <PromotionDialog
          closeTo={closeTo}
          errors={answer?.errors}
          id={id}
          key={id}
          kept={answer?.kept}
          of={promotion}
        />
      )}
      {isEnding && (
        <ConfirmDialog
          {...about}
          confirmLabel="End it now"
          title={`End “${promotion.title}”?`}
          values={{ intent: "end", promotionId: promotion.promotionId, shown: promotion.version }}
        >
          <p>From their next request, agents no longer mention it. Set a new end to run it again.</p>
        </ConfirmDialog>
      )}
      {isRemoving && (
        <ConfirmDialog
          {...about}
          confirmLabel="Remove"
          title={`Remove “${promotion.title}”?`}
          values={{ intent: "remove", promotionId: promotion.promotionId, shown: promotion.version }}
        >
          <p>It cannot be restored; you would have to create it again.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
