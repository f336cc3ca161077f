import { Form, useNavigation } from "@remix-run/react";
import { Upload } from "lucide-react";
import { useState } from "react";
import { useAnsweredForm } from "~/lib/answered-form";
import type { FormErrors } from "~/lib/api.server";
import { FormProblem } from "~/ui/form-problem";
import { Panel } from "~/ui/panel";
import { SubmitButton } from "~/ui/submit-button";
import { useEmptyOnceTaken } from "./empty-once-taken";
import { FileField } from "./file-field";

const MB = 1024 ** 2;
const ACCEPTED = ".tsv,.csv,.txt,.tab,.xml,.rss,.atom,.json,.jsonl,.ndjson,.gz,.zip";

/** A file of this machine, for the store's whole catalogue. */
export function UploadPanel({
  errors,
  maxBytes,
  isBusy,
}: {
  errors: FormErrors | undefined;
  maxBytes: number;
  isBusy: boolean;
}) {
  const form = useAnsweredForm(errors);
  const [tooLarge, setTooLarge] = useState(false);
  const isSending = useNavigation().formData?.has("file") ?? false;
  useEmptyOnceTaken(isSending, () => {
    form.current?.reset();
    setTooLarge(false);
  });
  const megabytes = Math.floor(maxBytes / MB);
  const problem = tooLarge ? `The file is larger than ${megabytes} MB. Compress it with gzip.` : errors?.fields.file;
  return (
    <Panel
      description="It replaces the whole catalogue: products missing from it are discontinued."
      title="Upload a file"
    >
      <Form
        className="flex flex-col items-start gap-5 [&>div]:w-full"
        encType="multipart/form-data"
        method="post"
        onChange={({ currentTarget }) => {
          const file = new FormData(currentTarget).get("file");
          setTooLarge(file instanceof File && file.size > maxBytes);
        }}
        onSubmit={(event) => tooLarge && event.preventDefault()}
        preventScrollReset
        ref={form}
      >
        <FormProblem errors={errors} />
        <FileField
          accept={ACCEPTED}
          error={problem}
          hint={`Google product data (TSV, CSV, RSS, Atom), OpenAI's product feed (JSONL, CSV), or the product export of Shopify or WooCommerce (CSV), also as .gz or .zip; up to ${megabytes} MB.`}
          label="Product feed"
          name="file"
        />
        <div className="flex flex-wrap items-center gap-3">
          <SubmitButton disabled={tooLarge} held={isBusy} icon={<Upload aria-hidden />}>
            Upload
          </SubmitButton>
          <span aria-live="polite" className="text-[0.8125rem] text-muted">
            {isSending ? "Sending the file…" : isBusy ? "A load is in progress: wait until it is done." : ""}
          </span>
        </div>
      </Form>
    </Panel>
  );
}
