// A store's loyalty programmes: tiers, and the rules by which points are earned.
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Award, Plus } from "lucide-react";
import { act, formValues, load } from "~/lib/api.server";
import { isOfSomething, keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { formOf } from "~/lib/form.server";
import { grouped } from "~/lib/numbers";
import { doneAt, notes } from "~/merchant/notes";
import { ProgramDialog } from "~/merchant/program-dialog";
import { type Program, programFields } from "~/merchant/program-fields";
import { useStore } from "~/merchant/store";
import { storeTitle } from "~/merchant/store-title";
import { Badge } from "~/ui/badge";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { DialogLink } from "~/ui/dialog-link";
import { DoneNote } from "~/ui/done-note";
import { EmptyState } from "~/ui/empty-state";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";
import { type Column, Table } from "~/ui/table";

export { keepPage as clientAction } from "~/lib/keep-page";

export const meta = storeTitle("Loyalty");
export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, (api) => api.merchant.programs({ store: args.params.slug! }));

export async function action(args: ActionFunctionArgs) {
  const store = args.params.slug!;
  const values = formValues(await formOf(args.request));
  const id = String(values.id ?? "");
  const kept = programFields(values);
  const outcome = await act(args, (api) => {
    if (values.intent === "remove") return api.merchant.removeProgram({ store, id, shown: kept.shown });
    type Input = Parameters<typeof api.merchant.saveProgram>[0];
    const { wasPrimary, isPrimary, ...fields } = kept;
    const change = isPrimary === (wasPrimary === "on") ? {} : { isPrimary };
    // Whatever was sent is checked by the procedure.
    return api.merchant.saveProgram({ store, id, ...fields, ...change } as Input);
  });
  if (!outcome.done) return data({ errors: outcome.errors, kept }, outcome.response.init ?? undefined);
  return redirect(doneAt(args.request, values.intent === "remove" ? "removed" : "saved"));
}

const tiers: Column<Program["tiers"][number]>[] = [
  { header: "Tier", cell: ({ name }) => <span className="font-medium">{name}</span> },
  {
    header: "From",
    align: "right",
    cell: ({ thresholdPoints }) => `${grouped(thresholdPoints)} ${thresholdPoints === 1 ? "point" : "points"}`,
  },
  { header: "Earns", align: "right", cell: ({ multiplier }) => `× ${multiplier}` },
  {
    header: "Perks",
    cell: ({ perks }) =>
      perks.length > 0 ? (
        <ul className="wrap-anywhere flex min-w-28 flex-col gap-0.5">
          {perks.map((perk) => (
            <li key={perk}>{perk}</li>
          ))}
        </ul>
      ) : (
        <span className="text-faint">None</span>
      ),
  },
];

type Rule = Program["rules"][number] & { position: number };

/** @param currency the store's own, of which points are earned for each unit */
const rulesIn = (currency: string): Column<Rule>[] => [
  {
    header: "Rule",
    cell: ({ basis, position }) => (
      <span className="flex gap-3">
        <span className="text-muted tabular-nums">{position}</span>
        <span className="min-w-0">{basis}</span>
      </span>
    ),
  },
  {
    header: "For",
    cell: ({ productType, brand }) => (
      <span className="wrap-anywhere block min-w-28">
        {[productType?.join(" > "), brand].filter(Boolean).join(", ") || "Everything"}
      </span>
    ),
  },
  {
    header: "Points",
    align: "right",
    cell: ({ pointsPerUnit, bonusPoints }) => (
      <span className="whitespace-normal">
        {grouped(pointsPerUnit)} per {currency}
        {bonusPoints > 0 && ` + ${grouped(bonusPoints)} per item`}
      </span>
    ),
  },
];

export default function Loyalty() {
  const programs = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { dialog, id, closeTo } = useDialogParams();
  const program = programs.find((one) => one.id === id);
  const isEditing = dialog === "program" && isOfSomething(id, program, answer);
  const isRemoving = dialog === "remove" && program !== undefined;
  const add = (
    <DialogLink dialog="program" icon={<Plus aria-hidden />} variant="primary">
      Add a programme
    </DialogLink>
  );
  return (
    <>
      {!answer && <DoneNote notes={notes} />}
      {!isEditing && !isRemoving && <Refusal errors={answer?.errors} />}
      {programs.length === 0 ? (
        <Panel flush>
          <EmptyState action={add} icon={Award} title="No loyalty programme yet">
            Once tiers and earning rules are set up, agents can tell shoppers what a purchase earns.
          </EmptyState>
        </Panel>
      ) : (
        <>
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <p className="text-muted text-sm">Agents tell shoppers what a purchase earns.</p>
            {add}
          </div>
          {programs.map((one) => (
            <ProgramPanel key={one.id} of={one} />
          ))}
        </>
      )}
      {isEditing && (
        <ProgramDialog
          closeTo={closeTo}
          errors={answer?.errors}
          id={id}
          isOnly={programs.every((one) => one === program)}
          key={id}
          kept={answer?.kept}
          of={program}
        />
      )}
      {isRemoving && (
        <ConfirmDialog
          closeTo={closeTo}
          confirmLabel="Remove"
          errors={answer?.errors}
          title={`Remove “${program.name}”?`}
          values={{ intent: "remove", id: program.id, shown: program.version }}
        >
          <p>Its tiers and earning rules are removed too. Agents no longer mention it.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function ProgramPanel({ of }: { of: Program }) {
  const { id, name, description, isPrimary } = of;
  const { currencies } = useStore();
  const ordered = of.rules.map((rule, i) => ({ ...rule, position: i + 1 }));
  return (
    <Panel
      actions={
        <>
          {isPrimary && <Badge tone="accent">Primary</Badge>}
          <DialogLink aria-label={`Edit ${name}`} dialog="program" of={id} size="sm">
            Edit
          </DialogLink>
          <DialogLink aria-label={`Remove ${name}`} dialog="remove" of={id} size="sm">
            Remove
          </DialogLink>
        </>
      }
      description={description}
      flush
      title={name}
    >
      <Table caption={`Tiers of ${name}`} columns={tiers} rowKey={({ name }) => name} rows={of.tiers} />
      {isPrimary && (
        <div className="border-line border-t">
          <h3 className="px-4 pt-4 pb-3 font-medium text-sm leading-6 md:px-6">
            Earning rules{" "}
            {ordered.length > 1 && (
              <span className="font-normal text-muted">The first that fits a product counts.</span>
            )}
          </h3>
          {ordered.length > 0 ? (
            <Table
              caption={`Earning rules of ${name}`}
              columns={rulesIn(currencies[0]!)}
              rowKey={({ position }) => String(position)}
              rows={ordered}
            />
          ) : (
            <p className="px-4 pb-4 text-muted text-sm md:px-6">There are none: nothing earns points.</p>
          )}
        </div>
      )}
    </Panel>
  );
}
