import { Form, useNavigate } from "@remix-run/react";
import { Button } from "~/ui/button";
import { ScopeTag } from "~/ui/scope-tag";
import { SelectField } from "~/ui/select-field";
import { TextLink } from "~/ui/text-link";
import type { PlaygroundTool } from "./run";

/** Which tool; what the scopes lack can be chosen too, to see how it is refused. */
export function ToolPicker({
  tools,
  current,
  scopes,
}: {
  tools: PlaygroundTool[];
  current: PlaygroundTool;
  scopes: string[];
}) {
  const navigate = useNavigate();
  const has = (tool: PlaygroundTool) => scopes.includes(tool.scope);
  return (
    <div className="grid gap-x-6 gap-y-3 p-4 md:p-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] xl:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]">
      <Form className="flex items-end gap-2 self-start">
        <div className="grow">
          <SelectField
            defaultValue={current.name}
            follows
            label="Tool"
            name="tool"
            onChange={({ target }) => navigate(`?tool=${target.value}`, { preventScrollReset: true })}
            options={tools.map((tool) => ({
              value: tool.name,
              label: has(tool) ? tool.name : `${tool.name} (needs ${tool.scope})`,
            }))}
          />
        </div>
        <div className="hidden noscript:block">
          <Button type="submit">Choose</Button>
        </div>
      </Form>
      <div className="flex min-w-0 flex-col gap-2">
        <p className="text-pretty text-muted text-sm leading-6">{current.description}</p>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] text-faint">
          <ScopeTag>{current.scope}</ScopeTag>
          {!has(current) && <span>Your platform does not have this scope, so the call will be refused.</span>}
          <TextLink reloadDocument to={`/console/docs/${current.name}`}>
            Documentation
          </TextLink>
        </p>
      </div>
    </div>
  );
}
