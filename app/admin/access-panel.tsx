import { Form } from "@remix-run/react";
import { Fragment } from "react";
import { useAnsweredForm } from "~/lib/answered-form";
import type { FormErrors } from "~/lib/api.server";
import { isLate } from "~/lib/is-late";
import { useDrawn, useTyping } from "~/lib/typing";
import { FormProblem } from "~/ui/form-problem";
import { Panel } from "~/ui/panel";
import { ShownVersion } from "~/ui/shown-version";
import { SubmitButton } from "~/ui/submit-button";
import { AccessFields } from "./access-fields";
import type { AccessValues } from "./access-form.server";
import type { Consumer } from "./consumer";
import type { Review } from "./review";

/** Coverage, scopes and limits, to be changed. */
export function AccessPanel({
  consumer,
  application,
  refused,
}: {
  consumer: Consumer;
  application: Review["application"];
  refused: { errors: FormErrors; kept: AccessValues & { version: string } } | undefined;
}) {
  const form = useAnsweredForm(refused);
  const { coverage, scopes, rateLimit, maxKeys, utmSource } = consumer;
  const shown = { coverage, scopes, rateLimit, maxKeys, utmSource: utmSource ?? "" };
  const { key, values, version } = useDrawn(useTyping(form), {
    looks: JSON.stringify([shown, isLate(refused?.errors)]),
    values: refused?.kept ?? shown,
    version: consumer.version,
  });
  const needsSource = consumer.state === "production";
  return (
    <Panel description="Changes apply to every key from its next request." title="Limits and access">
      <Form className="flex flex-col gap-5" method="post" preventScrollReset ref={form}>
        <input name="intent" type="hidden" value="access" />
        {/* New fields for whatever else they show, and once a conflict was read: then they show what somebody else changed.
            What is said of the form stays, so that it is said once. */}
        <Fragment key={key}>
          <ShownVersion errors={refused?.errors} name="version" newest={version} posted={refused?.kept.version} />
          <input name="source" type="hidden" value={needsSource ? "needed" : "optional"} />
          <AccessFields
            application={application}
            errors={refused?.errors.fields}
            needsSource={needsSource}
            values={values}
          />
        </Fragment>
        <FormProblem errors={refused?.errors} lookAgain={`/admin/consumers/${consumer.slug}`} />
        <div>
          <SubmitButton>Save access</SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}
