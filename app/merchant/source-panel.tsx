import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { useAnsweredForm } from "~/lib/answered-form";
import type { FormErrors } from "~/lib/api.server";
import { useDialogParams } from "~/lib/dialog";
import { Badge } from "~/ui/badge";
import { Banner } from "~/ui/banner";
import { DialogLink } from "~/ui/dialog-link";
import { Facts } from "~/ui/facts";
import { FormProblem } from "~/ui/form-problem";
import { Panel } from "~/ui/panel";
import { ShownVersion } from "~/ui/shown-version";
import { SubmitButton } from "~/ui/submit-button";
import { TextField } from "~/ui/text-field";
import { Time } from "~/ui/time";
import type { Source } from "./catalogue";
import type { KeptSource } from "./catalogue-forms.server";

interface Props {
  source: Source | null;
  errors: FormErrors | undefined;
  /** What was typed, where the form comes back. */
  kept: KeptSource | undefined;
  isBusy: boolean;
}

/** A feed that is fetched every day. */
export function SourcePanel({ source, errors, kept, isBusy }: Props) {
  // What is wrong with another address is said in the dialog that asked for it; typed where there was none, it stays here.
  const { dialog } = useDialogParams();
  const isTyped = kept !== undefined && dialog === null;
  return (
    <Panel
      actions={source && <SourceBadge source={source} />}
      description="Fetched once a day, and loaded when it has changed."
      title="Feed by address"
    >
      {source && !isTyped ? (
        <Present errors={kept === undefined ? errors : undefined} isBusy={isBusy} source={source} />
      ) : (
        <AddressForm errors={errors} kept={kept} newest={source?.url ?? ""} />
      )}
    </Panel>
  );
}

function SourceBadge({ source: { isOff, isFetching, lastOutcome } }: { source: Source }) {
  if (isFetching) return <Badge tone="accent">Fetching</Badge>;
  if (isOff) return <Badge tone="danger">Off</Badge>;
  return lastOutcome === "failed" ? <Badge tone="warning">Failing</Badge> : <Badge tone="success">Daily</Badge>;
}

function AddressForm({ errors, kept, newest }: Pick<Props, "errors" | "kept"> & { newest: string }) {
  const form = useAnsweredForm(errors);
  return (
    <Form className="flex flex-col items-start gap-5 [&>div]:w-full" method="post" preventScrollReset ref={form}>
      <input name="intent" type="hidden" value="set-source" />
      <ShownVersion errors={errors} name="shown" newest={newest} posted={kept?.shown} />
      <FormProblem errors={errors} />
      {newest !== "" && (
        <p className="text-sm leading-6">
          The feed comes from <Address url={newest} /> now.
        </p>
      )}
      <AddressField error={errors?.fields.url} value={kept?.url} />
      <SubmitButton variant="secondary">Fetch it daily</SubmitButton>
    </Form>
  );
}

export const AddressField = ({ value, error }: { value: string | undefined; error: string | undefined }) => (
  <TextField
    autoCapitalize="none"
    autoComplete="off"
    defaultValue={value}
    error={error}
    hint="http or https, on the public internet, up to 200 MB. It is fetched now, then every day."
    inputMode="url"
    label="Address"
    maxLength={2000}
    name="url"
    placeholder="https://www.example.com/products.tsv"
    spellCheck={false}
    type="url"
  />
);

/** Of any length: broken where need be. */
export const Address = ({ url }: { url: string }) => (
  <code className="break-all font-mono text-[0.8125rem] text-ink">{url}</code>
);

const outcomes = { fetched: "New file", unchanged: "Unchanged", failed: "Failed" };

function Present({ source, errors, isBusy }: { source: Source; errors: FormErrors | undefined; isBusy: boolean }) {
  const { url, isOff, isFetching, lastFetchAt, lastOutcome, lastError, failures, nextFetchAt } = source;
  const facts: [string, ReactNode][] = [
    ["Address", <Address key="url" url={url} />],
    [
      "Last tried",
      <span key="last">
        <Time at={lastFetchAt} fallback="Not yet" />
        {lastOutcome && <span className="text-muted"> · {outcomes[lastOutcome]}</span>}
      </span>,
    ],
    ["Next", isOff ? "Not scheduled" : isFetching ? "Now" : <Time at={nextFetchAt} key="next" />],
  ];
  return (
    <div className="flex flex-col gap-5">
      <FormProblem errors={errors} />
      {lastError && (
        <Banner
          title={
            isOff
              ? "It failed too many times and is now off"
              : failures > 1
                ? `It failed ${failures} times in a row`
                : "The last fetch failed"
          }
          tone={isOff ? "danger" : "warning"}
        >
          {lastError}{" "}
          {isOff
            ? "The catalogue stays as it was. Fix the feed, then choose “Fetch now”."
            : "It will be tried again automatically."}
        </Banner>
      )}
      <Facts facts={facts} />
      <div className="flex flex-wrap gap-2">
        <Form method="post" preventScrollReset>
          <input name="intent" type="hidden" value="fetch-now" />
          <SubmitButton held={isBusy || isFetching} size="sm" variant="secondary">
            Fetch now
          </SubmitButton>
        </Form>
        <DialogLink dialog="change-source" size="sm">
          Change
        </DialogLink>
        <DialogLink dialog="remove-source" size="sm">
          Remove
        </DialogLink>
      </div>
    </div>
  );
}
