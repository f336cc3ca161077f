// What of a call's arguments does not fit its tool, said so that a model can mend it: each issue goes on after its path.
import { z } from "zod";
import { MOST_TOLD } from "../services/fields";
import { instead, schemaAt, shapeOf } from "./instead";
import { type JsonSchema, UUID } from "./json-schema";
import type { Tool } from "./tool";

export interface ArgumentIssue {
  /** Where in the arguments, such as `filters.price.min`. */
  path: string;
  /** What is wrong with it. */
  message: string;
  /** What would fit. */
  expected: string;
}

interface Checked {
  input: unknown;
  /** Twenty at most. */
  issues: ArgumentIssue[];
  /** How many there are besides. */
  more: number;
}

/** The arguments as the tool takes them, or an issue for each that does not fit. */
export function check(tool: Tool, args: unknown): Checked {
  const parsed = parse(tool, args);
  if (!parsed.success) return { input: undefined, ...argumentIssues(tool, telling(parsed.error.issues)) };
  const all = unstorable(args);
  const issues = all.slice(0, MOST_TOLD);
  return { input: parsed.data, issues, more: all.length - issues.length };
}

/**
 * Of two issues for one fault one is told. A number beyond the safe integers is beyond its own bound as well: the second. What is no
 * list is measured as one all the same: the first.
 */
const telling = (issues: z.core.$ZodIssue[]): z.core.$ZodIssue[] =>
  issues.filter(({ code, path }, i) => {
    const [before, next] = [issues[i - 1], issues[i + 1]].map((beside) =>
      beside?.path.join() === path.join() ? beside : undefined,
    );
    const isList = !(before?.code === "invalid_type" && before.expected === "array");
    return isList && next?.code !== code;
  });

/** zod's checks compare what they get, and an object whose own `toString` is no function can't be compared. */
function parse({ input }: Tool, args: unknown): z.ZodSafeParseResult<unknown> {
  try {
    return input.safeParse(args, { error: inWords });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = "contain an object that cannot be read as a value";
    return z
      .unknown()
      .refine(() => false, { message, params: { expected: "objects without a toString" } })
      .safeParse(args);
  }
}

/** The first twenty. Of a list that is too long zod says that alone. */
function argumentIssues({ inputSchema }: Tool, found: z.core.$ZodIssue[]): Pick<Checked, "issues" | "more"> {
  const single = found.flatMap((issue): { issue: z.core.$ZodIssue; key?: string }[] =>
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => ({ issue, key })) : [{ issue }],
  );
  const issues = single.slice(0, MOST_TOLD).map(({ issue, key }) => {
    const path = issue.path.map(String).join(".");
    if (key !== undefined) return unknownArgument(key, path, inputSchema);
    const schema = schemaAt(inputSchema, issue.path);
    const hasShape = issue.code === "invalid_type" && path !== "" && (schema?.items || schema?.properties);
    const shape = hasShape ? ` such as ${shapeOf(schema)}` : "";
    const message = issue.message.replace(/^must be an (array|object)/, (said) => said + shape);
    const isNoUuid = issue.code === "invalid_type" && schema?.pattern === UUID;
    return { path, message, expected: isNoUuid ? "a UUID" : expectation(issue) + shape };
  });
  return { issues, more: single.length - issues.length };
}

const MOST_NAME = 100;

/** @param tool whose arguments are told */
function unknownArgument(name: string, object: string, tool: JsonSchema): ArgumentIssue {
  const shown = (name.length > MOST_NAME ? `${name.slice(0, MOST_NAME)}…` : name || '""').toWellFormed();
  const path = object ? `${object}.${shown}` : shown;
  const message = "is not an argument of this tool";
  const given = instead(tool, object, name);
  if (given) return { path, message: `${message}: give ${given}`, expected: given };
  const allowed = Object.keys(schemaAt(tool, object ? object.split(".") : [])?.properties ?? {}).join(", ");
  return { path, message: `${message}: ${object || "it"} takes ${allowed}`, expected: `one of ${allowed}` };
}

const MISSING = "is missing";

/** The words for an issue whose schema has none of its own. An input that is undefined, which JSON does not know, is missing. */
function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return MISSING;
  switch (issue.code) {
    case "invalid_type":
      // JSON such as 1e400 is read as Infinity.
      if (issue.expected === "number" && typeof issue.input === "number") return "must be a finite number";
      return issue.expected === "int"
        ? `must be ${typeInWords(issue.expected)}`
        : `must be ${typeInWords(issue.expected)}, not ${typeInWords(typeOf(issue.input))}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "too_small":
      return `${mustHave(issue)} at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`;
    case "too_big":
      return `${mustHave(issue)} at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`;
    case "invalid_format":
      return formats[issue.format];
  }
}

/** As JSON calls it, whatever an object says of its constructor. */
const typeOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

const types: Partial<Record<string, string>> = { null: "null", boolean: "true or false", int: "a whole number" };
const typeInWords = (type: string) => types[type] ?? `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;

const mustHave = ({ origin }: { origin: string }) =>
  origin === "string" || origin === "array" ? "must have" : "must be";

const formats: Partial<Record<string, string>> = {
  datetime: "must be a date and a time with its offset, such as 2026-11-27T09:00:00Z",
  guid: "must be a UUID",
};

/**
 * The issue of a tool's own refinement, for `addIssue`.
 * @param message goes on after the path: "is missing: give product_id or gtin"
 * @param expected what would fit: "product_id or gtin"
 */
export const misfit = (path: PropertyKey[], message: string, expected: string) => ({
  code: "custom" as const,
  path,
  message,
  params: { expected },
});

/** What would fit, in words: a refinement says it as `misfit` has it, or else after "must" in its message. */
function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.message === MISSING ? typeInWords(issue.expected) : afterMust(issue.message).replace(/, not .*/, "");
    case "invalid_value":
      return `one of ${issue.values.join(", ")}`;
    case "too_small":
      return `at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`;
    case "too_big":
      return `at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`;
    case "custom":
      return issue.params?.expected ?? afterMust(issue.message);
    default:
      return afterMust(issue.message);
  }
}

const afterMust = (message: string) => message.replace(/^must (be|have) /, "");

const unit = (origin: string, count: number | bigint) => {
  const one = origin === "string" ? " character" : origin === "array" ? " item" : "";
  return one && count !== 1 ? `${one}s` : one;
};

/** PostgreSQL's text has neither NUL nor half of a surrogate pair, so no argument may. */
function unstorable(value: unknown, path: string[] = []): ArgumentIssue[] {
  if (typeof value === "string" && value.includes("\0")) {
    return [{ path: path.join("."), message: "contains a NUL character", expected: "text without NUL" }];
  }
  if (typeof value === "string" && !value.isWellFormed()) {
    return [{ path: path.join("."), message: "contains half of a surrogate pair", expected: "well-formed Unicode" }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => unstorable(inner, [...path, key]));
}
