import { Form, useNavigation } from "@remix-run/react";
import { Upload } from "lucide-react";
import { useState } from "react";
import { useAnsweredForm } from "~/lib/answered-form";
import type { FormErrors } from "~/lib/api.server";
import { CodeBlock } from "~/ui/code-block";
import { cx } from "~/ui/cx";
import { FormProblem } from "~/ui/form-problem";
import { Panel } from "~/ui/panel";
import { SubmitButton } from "~/ui/submit-button";
import { summaryLook } from "~/ui/summary-look";
import { useEmptyOnceTaken } from "./empty-once-taken";
import { FileField } from "./file-field";

const MB = 1024 ** 2;
const ACCEPTED = ".tsv,.csv,.txt,.tab,.xml,.rss,.atom,.json,.jsonl,.ndjson,.gz,.zip";

/** The least that a merchant's own file may be, and what of all else shoppers ask for most. */
const EXAMPLE = `id,title,description,link,image_link,price,availability,brand,gtin
TENT-2,Two-person tent,"Light, and dry in the rain",https://shop.example/tent-2,https://shop.example/tent-2.jpg,289.00 EUR,in_stock,Orrskar,4006381333931
ROPE-30,Climbing rope 30 m,Dry-treated single rope,https://shop.example/rope-30,https://shop.example/rope-30.jpg,89.90 EUR,out_of_stock,Fellhagen,`;

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
      <details className="mt-5 text-[0.8125rem]">
        <summary className={cx(summaryLook, "text-muted")}>What a file needs</summary>
        <div className="flex flex-col gap-3 pt-3">
          <p className="text-pretty text-muted leading-5">
            A shop system's feed for Google Merchant Center has it all. In a file of your own, the first line names the
            columns as Google does; id, title, link and price are required. The others help agents to find and describe
            a product.
          </p>
          <CodeBlock code={EXAMPLE} label="Two products, as CSV" language="text" />
        </div>
      </details>
    </Panel>
  );
}
