import { Form } from "@remix-run/react";
import { useRef } from "react";
import type { FormErrors } from "~/lib/api.server";
import { useDrawn, useTyping } from "~/lib/typing";
import type { loader } from "~/routes/merchant.notifications";
import { Badge } from "~/ui/badge";
import { CheckboxField } from "~/ui/checkbox-field";
import { ChoicesField } from "~/ui/choices-field";
import { FormProblem } from "~/ui/form-problem";
import { ShownVersion } from "~/ui/shown-version";
import { SubmitButton } from "~/ui/submit-button";

type Digest = Awaited<ReturnType<typeof loader>>["digest"];

const choices = [
  { value: "daily", label: "Daily", detail: "At 07:00 UTC, when there is something new." },
  { value: "weekly", label: "Weekly", detail: "On Mondays at 07:00 UTC." },
  { value: "off", label: "Off", detail: "Notifications still appear here." },
];

/** How often what is new is mailed, for all of the merchant's people, and whether to this one. */
export function DigestForm({
  digest,
  merchantId,
  errors,
}: {
  digest: Digest;
  merchantId: string;
  errors: FormErrors | undefined;
}) {
  const form = useRef<HTMLFormElement>(null);
  const looks = `${digest.frequency} ${digest.mine}`;
  const { key, values, version } = useDrawn(useTyping(form), { looks, values: digest, version: digest });
  return (
    <Form className="flex flex-col gap-5" method="post" preventScrollReset ref={form}>
      <input name="intent" type="hidden" value="digest" />
      <input name="merchantId" type="hidden" value={merchantId} />
      <FormProblem errors={errors} />
      <ShownVersion name="shownFrequency" newest={version.frequency} />
      <ShownVersion name="shownMine" newest={String(version.mine)} />
      <ChoicesField
        choices={choices}
        chosen={[values.frequency]}
        error={errors?.fields.frequency}
        hint="For everyone at your company."
        key={`frequency ${key}`}
        label="How often"
        name="frequency"
        single
      />
      <CheckboxField
        defaultChecked={values.mine}
        hint={digest.mine ? undefined : stopped(digest)}
        key={`mine ${key}`}
        label={
          <>
            Send it to me, <span className="wrap-anywhere">{digest.email}</span>
          </>
        }
        name="mine"
      />
      <div className="flex items-center gap-3">
        <SubmitButton variant="secondary">Save</SubmitButton>
        {digest.frequency === "off" && <Badge>Off</Badge>}
      </div>
    </Form>
  );
}

function stopped({ frequency, othersGetIt }: Digest): string {
  if (frequency === "off") return "You have stopped it for yourself.";
  return othersGetIt
    ? "You have stopped it for yourself; your colleagues still get it."
    : "You have stopped it for yourself. Nobody is mailed then; notifications stay here.";
}
