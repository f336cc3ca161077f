import { Form } from "@remix-run/react";
import type { AppOutputs } from "~/lib/trpc";
import { Button, ButtonLink } from "~/ui/button";
import { cx } from "~/ui/cx";
import { SelectField, withKept } from "~/ui/select-field";
import { summaryLook } from "~/ui/summary-look";
import { TextField } from "~/ui/text-field";
import { kindNames } from "./audit-table";

export const filterNames = [
  "person",
  "actorKind",
  "action",
  "targetKind",
  "targetId",
  "requestId",
  "from",
  "to",
] as const;
export type Filter = Partial<Record<(typeof filterNames)[number], string>>;

/** What an address asks for; the procedure checks it. */
export const filterIn = (params: URLSearchParams): Filter =>
  Object.fromEntries(filterNames.map((name) => [name, params.get(name)?.trim()] as const).filter(([, value]) => value));

type Vocabulary = AppOutputs["audit"]["vocabulary"];

const any = { value: "", label: "Any" };
const plain = (value: string) => ({
  value,
  label: value.replace(/_/g, " ").replace(/^./, (first) => first.toUpperCase()),
});

/** What to look for: a GET form, so that an answer has an address. The rarer half unfolds. */
export function AuditFilters({
  filter,
  errors,
  vocabulary: { areas, actions, actorKinds, targetKinds },
}: {
  filter: Filter;
  errors: Record<string, string>;
  vocabulary: Vocabulary;
}) {
  const field = (name: keyof Filter) => ({
    name,
    defaultValue: filter[name] ?? "",
    error: errors[name],
    optional: true,
    follows: true,
  });
  const isUsed = (names: (keyof Filter)[]) => names.some((name) => filter[name] || errors[name]);
  return (
    <Form className="flex flex-col gap-4 [&_label+span]:hidden" method="get" preventScrollReset>
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <TextField
          {...field("person")}
          autoCapitalize="none"
          autoComplete="off"
          label="Person"
          maxLength={254}
          placeholder="Email address"
          spellCheck={false}
          type="search"
        />
        <SelectField
          {...field("action")}
          label="What"
          options={[
            any,
            ...withKept(
              areas.flatMap((area) => [plain(area), ...ofArea(actions, area)]),
              filter.action,
            ),
          ]}
        />
        <TextField {...field("from")} label="From (UTC)" type="date" />
        <TextField {...field("to")} label="Through (UTC)" type="date" />
      </div>
      <div className="flex flex-wrap items-center gap-4">
        <div className="flex flex-wrap gap-2">
          <Button type="submit">Filter</Button>
          {isUsed([...filterNames]) && <ButtonLink to="/admin/audit">Show all</ButtonLink>}
        </div>
        <details
          className="group open:order-first open:basis-full"
          open={isUsed(["actorKind", "targetKind", "targetId", "requestId"])}
        >
          <summary className={cx(summaryLook, "text-muted")}>By role, target and request</summary>
          <div className="grid items-start gap-4 pt-4 sm:grid-cols-2 lg:grid-cols-4">
            <SelectField
              {...field("actorKind")}
              label="Acting as"
              options={[
                any,
                ...withKept(
                  actorKinds.map((value) => ({ value, label: kindNames[value] ?? value })),
                  filter.actorKind,
                ),
              ]}
            />
            <SelectField
              {...field("targetKind")}
              label="Done to"
              options={[any, ...withKept(targetKinds.map(plain), filter.targetKind)]}
            />
            <TextField
              {...field("targetId")}
              autoComplete="off"
              label="Target's id"
              maxLength={200}
              mono
              spellCheck={false}
              type="search"
            />
            <TextField
              {...field("requestId")}
              autoComplete="off"
              label="Request id"
              maxLength={36}
              mono
              spellCheck={false}
              type="search"
            />
          </div>
        </details>
      </div>
    </Form>
  );
}

const ofArea = (actions: Vocabulary["actions"], area: string) =>
  actions
    .filter(({ action }) => action.startsWith(`${area}.`))
    .map(({ action, words }) => ({ value: action, label: `\u2003${words.replace(/ ?\{target\}/, " …")}` }));
