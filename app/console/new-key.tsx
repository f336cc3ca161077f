import type { ReactNode } from "react";
import { firstCall } from "~/lib/snippets";
import { AskBeforeLosing } from "~/ui/ask-before-leaving";
import { Banner } from "~/ui/banner";
import { CodeBlock } from "~/ui/code-block";
import { CopyField } from "~/ui/copy-field";

/** A key's value, in the one response that has it, and a first call that its scopes allow. */
export function NewKey({
  value,
  scopes,
  endpoint,
  children,
}: {
  value: string;
  scopes: string[];
  endpoint: string;
  children?: ReactNode;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Banner title="This is the only time you will see it" tone="warning">
        We cannot show it again. Store it where your server keeps its secrets.
      </Banner>
      <CopyField label="API key" value={value} />
      {children}
      <CodeBlock
        code={firstCall({ endpoint, key: value, scopes })}
        label="A first call, in your terminal"
        language="sh"
      />
      <AskBeforeLosing what="the key" />
    </div>
  );
}
