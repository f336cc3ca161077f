// The operators' forms about access, from what was posted to what the procedures take.
import type { ActionFunctionArgs } from "@remix-run/node";
import { formValues } from "~/lib/api.server";

/** As a form shows them. */
export interface AccessValues {
  coverage: string;
  scopes: string[];
  rateLimit: string | number;
  maxKeys: string | number;
  utmSource: string;
}

/** What was typed, to be shown again. */
export function accessOf(form: FormData): AccessValues & { directorySlug: string; reason: string; version: string } {
  const values = formValues(form);
  const text = (name: string) => String(values[name] ?? "");
  return {
    coverage: text("coverage"),
    scopes: Array.isArray(values.scopes) ? values.scopes : [],
    rateLimit: text("rateLimit"),
    maxKeys: text("maxKeys"),
    utmSource: text("utmSource"),
    directorySlug: text("directorySlug").trim(),
    reason: text("reason"),
    version: text("version"),
  };
}

type Api = ActionFunctionArgs["context"]["api"];
type Approval = Parameters<Api["review"]["approveProduction"]>[0];

/** The same as a procedure's input, which checks it all. */
export const inputOf = ({ coverage, scopes, rateLimit, maxKeys, utmSource }: AccessValues) => ({
  coverage: coverage as Approval["coverage"],
  scopes: scopes as Approval["scopes"],
  rateLimit,
  maxKeys,
  utmSource,
});
