import { answer, call } from "~/lib/start-page";
import { CodeBlock } from "~/ui/code-block";

/** A call and its answer, dark in both themes. */
export function Exchange() {
  return (
    <div className="min-w-0 rounded-xl shadow-float">
      <figure className="scheme-dark overflow-hidden rounded-xl bg-sunken text-ink">
        <CodeBlock bare code={call} label="A call" language="http" />
        <div className="border-line border-t">
          <CodeBlock bare code={answer} label="A product from the answer" language="json" />
        </div>
        <figcaption className="border-line border-t px-4 py-3 text-[0.8125rem] text-muted">
          A search, and one product from its answer, shortened.
        </figcaption>
      </figure>
    </div>
  );
}
