// The whole exchange of a run: what an agent would have sent, and what it would have got.
import { readable } from "~/lib/json-text";
import { CodeBlock } from "~/ui/code-block";
import type { ToolRun } from "./run";

/** @param url of the endpoint that an agent would call  @param key what stands for it; null at a directory endpoint */
export function ExchangeView({ run, url, authorization }: { run: ToolRun; url: string; authorization: string | null }) {
  const { pathname, host } = new URL(url);
  const auth: Record<string, string> = authorization === null ? {} : { authorization };
  const sent = { host, ...run.request.headers, ...auth };
  return (
    <div className="grid min-w-0 items-start gap-4 p-4 md:p-6 xl:grid-cols-2">
      <CodeBlock
        code={`POST ${pathname} HTTP/1.1\n${head(sent)}\n\n${readable(run.request.body)}`}
        label="Request, as an agent sends it"
        language="http"
      />
      <CodeBlock
        code={`HTTP/1.1 ${run.response.status}\n${head(run.response.headers)}\n\n${readable(run.response.body)}`}
        label="Response"
        language="http"
      />
    </div>
  );
}

const head = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${named(name)}: ${value}`)
    .join("\n");

const named = (name: string) => name.replace(/(^|-)(\w)/g, (part) => part.toUpperCase());
