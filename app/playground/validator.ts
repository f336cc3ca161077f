// JSON Schema checked by interpreting it: the Content-Security-Policy lets no validator compile one with eval.
import { Validator } from "@cfworker/json-schema";
import type { ValidatorType } from "@rjsf/utils";
import type { ToolSchema } from "./tool-schema";

interface SchemaFault {
  /** Steps to the value that does not fit. */
  path: string[];
  message: string;
}

/** These only say that something inside does not fit, which is said there. */
const wrappers = new Set(["properties", "items", "additionalProperties"]);

/** What in a value does not fit the schema, each once. */
export function faultsOf(schema: ToolSchema, value: unknown): SchemaFault[] {
  const { errors } = new Validator(schema as never, "2020-12", false).validate(value);
  return errors
    .filter(({ keyword }) => !wrappers.has(keyword))
    .map(({ instanceLocation, keyword, error }) => ({
      path: instanceLocation.split("/").slice(1).map(unescaped),
      message: keyword === "false" ? "This is not an argument of this tool." : error,
    }));
}

const unescaped = (step: string) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");

/** What the form asks of a validator. Its faults come from the tool's own answer, so it only ever chooses between schemas. */
export const formValidator: ValidatorType = {
  isValid: (schema, value) => new Validator(schema as never, "2020-12").validate(value).valid,
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({ errors: [] }),
};
