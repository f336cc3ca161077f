// A JSON Schema as a list that people read: each value with its path, type, bounds and description.
import { ScopeTag } from "~/ui/scope-tag";

interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  [keyword: string]: unknown;
}

interface Row {
  path: string;
  type: string;
  isRequired: boolean;
  description: string | undefined;
}

/** @param noun what stands at the top: arguments may be required, fields of an answer are always there */
export function SchemaTable({ schema, noun }: { schema: object; noun: "argument" | "field" }) {
  const rows = rowsOf(schema as Schema, "");
  if (rows.length === 0) return <p className="text-muted text-sm">None.</p>;
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
      {rows.map(({ path, type, isRequired, description }) => (
        <li className="flex flex-col gap-1 px-4 py-2.5" key={path}>
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <code className="wrap-anywhere font-mono text-[0.8125rem]">
              <span className="text-faint">{path.slice(0, path.lastIndexOf(".") + 1)}</span>
              <span className="font-medium">{path.slice(path.lastIndexOf(".") + 1)}</span>
            </code>
            <span className="text-faint text-xs">{type}</span>
            {isRequired && <ScopeTag>{noun === "argument" ? "required" : "always"}</ScopeTag>}
          </div>
          {description && (
            <p className="max-w-prose text-pretty text-[0.8125rem] text-muted leading-5">{description}</p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Depth first, in the schema's order; items of lists stand under `name[]`. */
function rowsOf(schema: Schema, prefix: string): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const isRequired = schema.required?.includes(name) ?? false;
    const row = { path, type: typeOf(property), isRequired, description: property.description };
    if (property.type === "array" && property.items) return [row, ...rowsOf(property.items, `${path}[].`)];
    return [row, ...rowsOf(property, `${path}.`)];
  });
}

function typeOf(schema: Schema): string {
  if (schema.type === "array") return `list of ${schema.items ? typeOf(schema.items) : "anything"}${items(schema)}`;
  const kind = schema.format ? `${schema.type}, ${schema.format}` : (schema.type ?? "anything");
  const words = Array.isArray(schema.enum) ? [schema.enum.join(" | ")] : [kind, ...bounds(schema)];
  if (schema.default !== undefined) words.push(`${JSON.stringify(schema.default)} unless given`);
  return words.join(", ");
}

function items({ minItems, maxItems }: Schema): string {
  if (minItems !== undefined && maxItems !== undefined) return `, ${minItems} to ${maxItems}`;
  return maxItems === undefined ? "" : `, at most ${maxItems}`;
}

function bounds({ minimum, maximum, minLength, maxLength }: Schema): string[] {
  const found: string[] = [];
  if (minimum !== undefined) found.push(maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`);
  else if (maximum !== undefined) found.push(`at most ${maximum}`);
  if (typeof maxLength === "number") found.push(`${Number(minLength ?? 0)} to ${maxLength} characters`);
  return found;
}
