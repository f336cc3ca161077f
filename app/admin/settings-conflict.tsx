import { grouped } from "~/lib/numbers";
import type { Option } from "~/ui/select-box";

type Values = Record<string, unknown>;

const names: Record<string, string> = {
  approvalRule: "Approval rule",
  sandboxScopes: "Scopes",
  sandboxRateLimit: "Requests per minute",
  sandboxMaxKeys: "Maximum keys",
  playgroundRateLimit: "Playground calls per minute",
};

/** What was typed beside what somebody else saved meanwhile. */
export function SettingsConflict({ saved, kept, rules }: { saved: Values; kept: Values; rules: readonly Option[] }) {
  const differing = Object.keys(names).filter((name) => String(saved[name]) !== String(kept[name]));
  if (differing.length === 0) return "The values below are what is saved now.";
  return (
    <>
      <p>Saved now, different from your form:</p>
      <ul className="list-disc pl-5">
        {differing.map((name) => (
          <li key={name}>
            {names[name]}: {said(saved[name], rules)}. Yours: {said(kept[name], rules)}.
          </li>
        ))}
      </ul>
    </>
  );
}

function said(value: unknown, rules: readonly Option[]): string {
  if (Array.isArray(value)) return value.join(", ") || "none";
  const rule = rules.find((one) => one.value === value);
  return rule ? `“${rule.label}”` : grouped(Number(value));
}
